"""What dialects made like OpenAI Chat share: messages by role, contents as a string or a list of parts, tool calls beside them.

Each of them says in its own rooms which parts, roles and parameters it has; here stands what is done alike with any of those.
"""
