import type pg from "pg";
import { connectClient } from "./connect-client.ts";

/** Does work on one connection, which is closed at the end. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient(config);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {}); // a lost connection has ended
  }
}
