"""Skills out of model-written code, and the library that keeps them."""
