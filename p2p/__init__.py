"""What happens between machines: discovery, links, the replicated table, the durable log and the audit.

What goes on here is logged under "p2pgame"; without a handler of the client's it is shown nowhere.
"""

import logging

for name in ("p2pgame", "trio.serve_listeners"):
    logging.getLogger(name).addHandler(logging.NullHandler())
