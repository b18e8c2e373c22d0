CREATE TABLE commit_chain (
	chain_id INTEGER NOT NULL,
	link BLOB NOT NULL,
	PRIMARY KEY (chain_id),
	CHECK (chain_id = 1)
)
 STRICT;
CREATE TABLE content (
	digest TEXT NOT NULL,
	data BLOB NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (digest)
)
 STRICT;
CREATE TABLE learned_drafter (
	fingerprint TEXT NOT NULL,
	version INTEGER NOT NULL,
	num_tokens INTEGER NOT NULL,
	data BLOB NOT NULL,
	checksum TEXT NOT NULL,
	created TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (fingerprint, version)
)
 STRICT;
CREATE TABLE node (
	node_id INTEGER NOT NULL,
	parent_id INTEGER,
	position INTEGER NOT NULL,
	kind TEXT NOT NULL,
	title TEXT NOT NULL,
	synopsis TEXT NOT NULL,
	status TEXT NOT NULL,
	exported INTEGER NOT NULL,
	created TEXT NOT NULL,
	trashed TEXT,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (node_id),
	FOREIGN KEY(parent_id) REFERENCES node (node_id)
)
 STRICT;
CREATE TABLE phrase_table (
	source TEXT NOT NULL,
	tokenizer TEXT NOT NULL,
	max_context INTEGER NOT NULL,
	num_tokens INTEGER NOT NULL,
	data BLOB NOT NULL,
	checksum TEXT NOT NULL,
	created TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (source, tokenizer)
)
 STRICT;
CREATE TABLE project (
	project_id INTEGER NOT NULL,
	title TEXT NOT NULL,
	author TEXT NOT NULL,
	language TEXT NOT NULL,
	created TEXT NOT NULL,
	revision INTEGER NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (project_id),
	CHECK (project_id = 1)
)
 STRICT;
CREATE TABLE setting (
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (name)
)
 STRICT;
CREATE TABLE snapshot (
	snapshot_id INTEGER NOT NULL,
	title TEXT NOT NULL,
	reason TEXT NOT NULL,
	created TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (snapshot_id)
)
 STRICT;
CREATE TABLE writing_session (
	session_id INTEGER NOT NULL,
	started TEXT NOT NULL,
	ended TEXT NOT NULL,
	active_s REAL NOT NULL,
	words_written INTEGER NOT NULL,
	words_drafted INTEGER NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (session_id)
)
 STRICT;
CREATE TABLE document (
	document_id INTEGER NOT NULL,
	text TEXT NOT NULL,
	spans BLOB NOT NULL,
	checksum TEXT NOT NULL,
	updated TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (document_id),
	FOREIGN KEY(document_id) REFERENCES node (node_id)
)
 STRICT;
CREATE TABLE goal (
	goal_id INTEGER NOT NULL,
	node_id INTEGER,
	words INTEGER NOT NULL,
	due TEXT,
	created TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (goal_id),
	FOREIGN KEY(node_id) REFERENCES node (node_id)
)
 STRICT;
CREATE TABLE snapshot_text (
	snapshot_id INTEGER NOT NULL,
	document_id INTEGER NOT NULL,
	title TEXT NOT NULL,
	text_digest TEXT NOT NULL,
	spans BLOB NOT NULL,
	checksum TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (snapshot_id, document_id),
	FOREIGN KEY(snapshot_id) REFERENCES snapshot (snapshot_id) ON DELETE CASCADE,
	FOREIGN KEY(text_digest) REFERENCES content (digest)
)
 STRICT;
CREATE TABLE take (
	take_id INTEGER NOT NULL,
	document_id INTEGER NOT NULL,
	parent_id INTEGER,
	place INTEGER NOT NULL,
	stands INTEGER NOT NULL,
	title TEXT NOT NULL,
	text BLOB,
	spans BLOB,
	checksum TEXT NOT NULL,
	created TEXT NOT NULL,
	updated TEXT NOT NULL,
	trashed TEXT,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (take_id),
	FOREIGN KEY(document_id) REFERENCES document (document_id),
	FOREIGN KEY(parent_id) REFERENCES take (take_id)
)
 STRICT;
CREATE TABLE run (
	run_id INTEGER NOT NULL,
	document_id INTEGER NOT NULL,
	take_id INTEGER,
	state TEXT NOT NULL,
	seed INTEGER NOT NULL,
	sampling TEXT NOT NULL,
	goal_words INTEGER NOT NULL,
	goal_start INTEGER NOT NULL,
	model TEXT,
	prompt BLOB NOT NULL,
	num_prompt INTEGER NOT NULL,
	prompt_checksum TEXT NOT NULL,
	reading TEXT NOT NULL,
	num_tokens INTEGER NOT NULL,
	num_words INTEGER NOT NULL,
	num_chunks INTEGER NOT NULL,
	num_folded INTEGER NOT NULL,
	chain_digest TEXT NOT NULL,
	base_digest TEXT NOT NULL,
	end_digest TEXT NOT NULL,
	read_tail INTEGER NOT NULL,
	num_left_out INTEGER NOT NULL,
	finish_reason TEXT,
	changed_at TEXT NOT NULL,
	error TEXT NOT NULL,
	apart INTEGER NOT NULL,
	steering TEXT NOT NULL,
	asked TEXT NOT NULL,
	pauses TEXT NOT NULL,
	created TEXT NOT NULL,
	updated TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (run_id),
	FOREIGN KEY(document_id) REFERENCES document (document_id),
	FOREIGN KEY(take_id) REFERENCES take (take_id)
)
 STRICT;
CREATE TABLE run_chunk (
	run_id INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	compact INTEGER NOT NULL,
	token_ids BLOB NOT NULL,
	text BLOB NOT NULL,
	num_words INTEGER NOT NULL,
	num_steps INTEGER NOT NULL,
	step_ms REAL NOT NULL,
	steps BLOB,
	crc32 INTEGER NOT NULL,
	digest TEXT NOT NULL,
	created TEXT NOT NULL,
	row_digest BLOB NOT NULL,
	PRIMARY KEY (run_id, seq),
	FOREIGN KEY(run_id) REFERENCES run (run_id) ON DELETE CASCADE
)
 STRICT;
