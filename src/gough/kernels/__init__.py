"""Programs as machine code and as C: traced once, compiled in memory, run on whole batches."""
