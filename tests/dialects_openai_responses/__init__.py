"""OpenAI Responses: it comes home whole, crosses to and from the first two dialects, and its page says what its writer does."""
