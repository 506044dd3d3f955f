import { createHash } from "node:crypto";
import { storefrontIdOf } from "./scenarios.ts";

interface PointsFile {
  /** One row per customer, for the first customers of `seedCustomers`. */
  readonly rows: number;
  readonly by: "email" | "id";
}

/** A CSV file of points, whose customers are in another order than in the tables. */
export async function* pointsFile({ rows, by }: PointsFile): AsyncGenerator<Uint8Array> {
  yield Buffer.from("Email or id,Points,Expiration extension\r\n");
  const step = stepOver(rows);
  let text = "";
  for (let n = 0; n < rows; n++) {
    const customer = (n * step) % rows;
    const named = by === "id" ? storefrontIdOf(customer) : `Customer-${customer}@example.com`;
    text += `${named},${(n % 500) + 1},${n % 2 === 0 ? "yes" : "no"}\r\n`;
    if (text.length < 65_536 && n < rows - 1) continue;
    yield Buffer.from(text);
    text = "";
  }
}

/** Returns a step that visits each of `count` places once. */
function stepOver(count: number): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  const seed = createHash("sha256").update(String(count)).digest().readUInt16BE();
  for (let step = seed + 1; ; step++) if (gcd(step, count) === 1) return step;
}
