import { expect } from "vitest";
import type { Client } from "./client.ts";

export const API = "/api/storefront";

/** Returns an allotment's explanation. */
export async function explain(client: Client, uid: string, language = "en") {
  const { status, body } = await client.get(`${API}/point_allotments/uid/${uid}/explanation?language=${language}`);
  expect(status).toBe(200);
  return body.data;
}

/** Returns a customer's allotments, oldest first. */
export async function ledgerOf(client: Client, id: string) {
  return (await client.get(`${API}/point_allotments/${id}`)).body.data;
}

export const yen = (minor: number) => ({ minor, currency: "JPY" });
