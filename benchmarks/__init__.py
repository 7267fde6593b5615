"""What chatadt costs, as ratios in one run on one thread: `python -m benchmarks`."""
