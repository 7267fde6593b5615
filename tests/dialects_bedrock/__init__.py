"""Bedrock Converse: its recorded traffic, its server's rules as the SDK has them, its cases, its loss table and the laws."""
