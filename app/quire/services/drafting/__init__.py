"""One draft from request to rest; queue; steering; engine queries."""
