import Fastify from "fastify";
import pg from "pg";

// Two services in common designs: one transaction per request. `/naive` locks the balance and writes an allotment; `/double-entry` moves points from
// one issuing account with a function that writes a transfer and two entries, like pgledger. No authentication.
const pool = new pg.Pool({ max: 20 }); // PGHOST and related variables name the database
const app = Fastify();
const schema = {
  body: {
    type: "object",
    required: ["customer_id", "point_value"],
    properties: { customer_id: { type: "string" }, point_value: { type: "integer" } },
  },
} as const;

interface Award {
  readonly customer_id: string;
  readonly point_value: number;
}

async function award({ customer_id: id, point_value: points }: Award): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query({
      name: "lock",
      text: "select points from peer.balance where customer_id = $1 for update",
      values: [id],
    });
    const after = BigInt(rows[0].points) + BigInt(points);
    await client.query({
      name: "write",
      text: "update peer.balance set points = $2 where customer_id = $1",
      values: [id, after],
    });
    await client.query({
      name: "insert",
      text: "insert into peer.allotment (customer_id, point_value, balance_after) values ($1, $2, $3)",
      values: [id, points, after],
    });
    await client.query("commit");
    return String(after);
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

app.post<{ Body: Award }>("/naive", { schema }, async ({ body }) => ({ balance: await award(body) }));
app.post<{ Body: Award }>("/double-entry", { schema }, async ({ body }) => {
  const text = "select peer.transfer_points('issuer', $1, $2) as balance";
  const { rows } = await pool.query({ name: "transfer", text, values: [body.customer_id, body.point_value] });
  return { balance: rows[0].balance };
});
const url = await app.listen({ port: 0, host: "127.0.0.1" });
process.once("SIGTERM", () => process.exit(0));
process.stdout.write(`running at ${url}\n`);
