import { expect } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import { settingsOf, upload } from "./csv.ts";
import type { TestService } from "./service.ts";
import type { AdminClient } from "./staff.ts";

const HEADER = "Id,Email,Name,Birthday,Accepts marketing,Account enabled";

/** A file of customers with the usual header. */
export function customerLines(...rows: string[]): string {
  return `${[HEADER, ...rows].join("\r\n")}\r\n`;
}

/** The counts of a file of customers, as the dashboard receives them. */
export function customerCounts(created: number, updated: number, unchanged: number): object {
  return { created_count: created, updated_count: updated, unchanged_count: unchanged };
}

/** Sends a file of customers in a session. */
export function sendCustomers({ url }: TestService, by: AdminClient, content: string | Uint8Array<ArrayBuffer>) {
  return upload({ url, cookie: by.cookie }, content, { kind: "customers", name: "customers.csv" });
}

/** Uploads a file of customers and checks it; returns the import. */
export async function checkCustomers(
  service: TestService,
  by: AdminClient,
  content: string | Uint8Array<ArrayBuffer>,
  others: object = {},
) {
  const sent = await sendCustomers(service, by, content);
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  const started = await by.post(`/imports/${uid}/check`, settingsOf(sent.body.data, others));
  expect(started.status, started.text).toBe(200);
  await workImports(service.deps);
  return (await by.get(`/imports/${uid}`)).body.data;
}

/** Imports the valid rows of a checked file; returns the import. */
export async function startCustomers({ deps }: TestService, by: AdminClient, uid: string) {
  const started = await by.post(`/imports/${uid}/start`);
  expect(started.status, started.text).toBe(200);
  await workImports(deps);
  return (await by.get(`/imports/${uid}`)).body.data;
}

/** The faults of a phase, as `<line> <code> <value>`. */
export async function faultsOf(by: AdminClient, uid: string, phase: string): Promise<string[]> {
  const { data } = (await by.get(`/imports/${uid}/faults?phase=${phase}`)).body;
  return data.map(
    ({ line, code, value }: { line: number; code: string; value: string | null }) => `${line} ${code} ${value}`,
  );
}
