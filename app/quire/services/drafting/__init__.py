"""A draft from request to end; queue; steering; engine queries."""
