"""Coverage-guided fuzzing of everything that reads foreign bytes."""
