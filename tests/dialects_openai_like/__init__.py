"""Mistral, Cohere and Ollama: the dialects that look like OpenAI Chat and are none."""
