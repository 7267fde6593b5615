"""Conversations that are kept: in memory, in SQLite, or in any database that SQLAlchemy knows (the extra `sql`).

`in_memory()`, `chatadt.clients.memory.sqlite.sqlite_memory(path)` and `chatadt.clients.memory.sql.sql_memory(url)` give a `Memory`.
"""

from chatadt.clients.memory._memory import Memory, MemoryFault
from chatadt.clients.memory._plain import in_memory

__all__ = ("Memory", "MemoryFault", "in_memory")
