"""Machine code: a program as LLVM's text, compiled for this processor, called with arrays."""
