"""Orders to whoever writes to an archive: what to do with its sources, and when to stop."""

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, insert, select, update

from broadsheet.archive import source_rows, tables
from broadsheet.archive.source_records import Order


def place(connection: Connection, order: Order) -> int:
    """Add an order to those that wait, and return its number."""
    row = {"at": order.at, "what": order.what.value, "source": order.source, "values": dict(order.values)}
    return int(connection.execute(insert(tables.orders).values(row).returning(tables.orders.c.id)).scalar_one())


def pending(connection: Connection, after: int = 0) -> list[Order]:
    """Return the orders after one that nobody has taken, the oldest first."""
    fields = tables.orders.c
    query = select(tables.orders).where(fields.id > after, fields.taken_at.is_(None)).order_by(fields.id)
    return [source_rows.to_order(row) for row in connection.execute(query).mappings()]


def find(connection: Connection, number: int) -> Order | None:
    """Return the order of a number."""
    row = connection.execute(select(tables.orders).where(tables.orders.c.id == number)).mappings().one_or_none()
    return None if row is None else source_rows.to_order(row)


def record(connection: Connection, taken: Mapping[int, Order]) -> None:
    """Write down what became of orders."""
    if not taken:
        return
    names = ("taken_at", "result", "error")
    query = update(tables.orders).where(tables.orders.c.id == bindparam("number"))
    changed = [
        {"number": number, **{f"new_{name}": getattr(order, name) for name in names}} for number, order in taken.items()
    ]
    connection.execute(query.values({name: bindparam(f"new_{name}") for name in names}), changed)
