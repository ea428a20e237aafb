"""What travels between peers and why it can be trusted.

Sans-IO: bytes in, events out. Nothing here opens a socket, reads a clock or a file, starts a thread, or knows what game
is being played. Nothing outside this package touches a curve point.
"""
