"""Continue, Pause, goal, pre-flight, progress, queue, memory, self-check."""
