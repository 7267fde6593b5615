"""Hard conversions that public reports describe, with what is expected of them (cases.jsonl); the inputs are made up."""
