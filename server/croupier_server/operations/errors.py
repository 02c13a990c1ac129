"""Why something that an operator wanted was not done."""

from enum import StrEnum


class OperationCode(StrEnum):
    """What stands in the way. A code keeps its meaning for good."""

    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_PIT = "unknown_pit"
    UNKNOWN_PLAYER = "unknown_player"
    NOT_SEATED = "not_seated"
    TABLE_EXISTS = "table_exists"
    REFUSED = "refused"
    NO_DEALER = "no_dealer"
    OPERATION_REUSED = "operation_reused"
    WALLET_SHORT = "wallet_short"
    LIMIT = "limit"
    NO_ALARM = "no_alarm"
    STILL_DAMAGED = "still_damaged"


class OperationError(Exception):
    """Nothing was done. `limit` is what was hit, in cents, where there is such."""

    def __init__(self, code: OperationCode, text: str, limit: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.limit = limit
