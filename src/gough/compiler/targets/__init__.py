"""Programs for others: C99, CasADi, WebAssembly."""
