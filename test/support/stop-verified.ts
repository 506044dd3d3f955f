import { expect } from "vitest";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import type { TestService } from "./service.ts";

/** Checks the whole ledger after the tests of a file, and stops the service. */
export async function stopVerified(service: TestService): Promise<void> {
  const lines: string[] = [];
  const { ok } = await verifyLedger(service.deps.db, (line) => void lines.push(line));
  await service.stop();
  expect(ok, lines.join("\n")).toBe(true);
}
