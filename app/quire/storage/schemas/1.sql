CREATE TABLE project (
	project_id INTEGER NOT NULL,
	title VARCHAR NOT NULL,
	created VARCHAR NOT NULL,
	language VARCHAR NOT NULL,
	PRIMARY KEY (project_id),
	CHECK (project_id = 1)
);
CREATE TABLE document (
	document_id INTEGER NOT NULL,
	position INTEGER NOT NULL,
	title VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	checksum VARCHAR NOT NULL,
	updated VARCHAR NOT NULL,
	PRIMARY KEY (document_id)
);
CREATE TABLE run (
	run_id INTEGER NOT NULL,
	document_id INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	seed INTEGER NOT NULL,
	sampling VARCHAR NOT NULL,
	goal_words INTEGER NOT NULL,
	goal_start INTEGER NOT NULL,
	model VARCHAR,
	prompt_ids BLOB NOT NULL,
	prompt_checksum VARCHAR NOT NULL,
	num_tokens INTEGER NOT NULL,
	num_words INTEGER NOT NULL,
	num_chunks INTEGER NOT NULL,
	num_folded INTEGER NOT NULL,
	chain_digest VARCHAR NOT NULL,
	base_digest VARCHAR NOT NULL,
	end_digest VARCHAR NOT NULL,
	read_tail BOOLEAN NOT NULL,
	num_left_out INTEGER NOT NULL,
	finish_reason VARCHAR,
	error VARCHAR NOT NULL,
	created VARCHAR NOT NULL,
	updated VARCHAR NOT NULL,
	PRIMARY KEY (run_id),
	FOREIGN KEY(document_id) REFERENCES document (document_id)
);
CREATE TABLE run_chunk (
	run_id INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	token_ids BLOB NOT NULL,
	text VARCHAR NOT NULL,
	num_words INTEGER NOT NULL,
	num_steps INTEGER NOT NULL,
	step_ms DOUBLE NOT NULL,
	crc32 INTEGER NOT NULL,
	digest VARCHAR NOT NULL,
	created VARCHAR NOT NULL,
	PRIMARY KEY (run_id, seq),
	FOREIGN KEY(run_id) REFERENCES run (run_id) ON DELETE CASCADE
);
