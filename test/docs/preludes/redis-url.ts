/** Where the reader's server is. */
const url = "redis://127.0.0.1:6379";
