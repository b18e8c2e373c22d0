"""A book as blocks; reading and writing docx, odt, epub, html, pdf, md, txt; no Qt but in pdf."""
