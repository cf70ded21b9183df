"""Many plans at once: scenarios, the worker that plans one, and the engines that run workers."""
