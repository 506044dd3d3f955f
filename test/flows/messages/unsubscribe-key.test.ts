import { afterAll, beforeAll, expect, test } from "vitest";
import { createSecretBox } from "../../../src/credentials/secret-box.ts";
import { ensureLinkKey } from "../../../src/messages/ensure-link-key.ts";
import { resealLinkKey } from "../../../src/messages/reseal-link-key.ts";
import { resetLinkKey } from "../../../src/messages/reset-link-key.ts";
import { customerOfToken, unsubscribeToken } from "../../../src/messages/unsubscribe-token.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const [FORMER, LATTER] = ["x".repeat(40), "y".repeat(40)];

test("the key of the links outlives a change of the secret key, and is forgotten where that is lost", async () => {
  const { db } = service.deps;
  const by = (current: string, previous: string[] = []) => ({
    ...service.deps,
    secretBox: createSecretBox({ current, previous }),
  });
  const keyBy = (deps: ReturnType<typeof by>) => db.tx((tx) => ensureLinkKey(tx, deps));
  const key = await keyBy(by(FORMER));
  const customerUid = service.deps.random.uid();
  const token = unsubscribeToken(key, { customerUid });
  expect(customerOfToken(key, token)?.customerUid).toBe(customerUid);
  expect(await resealLinkKey(by(LATTER, [FORMER]))).toBe(1);
  expect(await resealLinkKey(by(LATTER, [FORMER]))).toBe(0);
  expect(customerOfToken(await keyBy(by(LATTER)), token)?.customerUid).toBe(customerUid);
  const lost = by("z".repeat(40));
  expect(await resetLinkKey(by(LATTER), { isDryRun: false })).toBe(false);
  expect(await resetLinkKey(lost, { isDryRun: true })).toBe(true);
  expect(await resetLinkKey(lost, { isDryRun: false })).toBe(true);
  expect(await resetLinkKey(lost, { isDryRun: true })).toBe(false);
  expect(customerOfToken(await keyBy(lost), token)).toBeNull();
  for (const wrong of ["", token.slice(1), `${token}A`, token.replace(/^./, (first) => (first === "A" ? "B" : "A"))])
    expect(customerOfToken(key, wrong)).toBeNull();
});
