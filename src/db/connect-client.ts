import pg from "pg";

const CONNECT_MS = 5_000;

/** Opens one connection. If it is lost between two statements, the next one fails; the process does not end. */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_MS, ...config });
  client.on("error", () => {}); // the statement that runs is rejected too
  await client.connect();
  return client;
}
