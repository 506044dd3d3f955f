import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator } from "../support/authenticator.ts";
import { createClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import {
  type AdminClient,
  adminClient,
  CSRF,
  cookieOf,
  STAFF_PASSWORD,
  signIn,
  tokenOfLink,
} from "../support/staff.ts";

const SITE = { origin: "http://localhost:3000", rpId: "localhost" };
const ANOTHER = "another password than before";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { publicUrl: SITE.origin } });
  await signIn(service, "owner");
});
afterAll(() => service.stop());

const stranger = () => createClient(`${service.url}/admin/api`, null);

async function addPasskey(person: AdminClient) {
  const device = createAuthenticator(SITE);
  const { challenge } = (await person.post("/account/passkeys/challenge")).body.data;
  const added = await person.post("/account/passkeys", { name: "Key", passkey: device.make(challenge) });
  expect(added.status).toBe(200);
  return device;
}

/** A passkey of the person of which an answer says that it was copied. */
async function loseTrust(person: AdminClient): Promise<void> {
  const device = await addPasskey(person);
  for (const status of [200, 401]) {
    device.counter = 5;
    const { challenge } = (await stranger().post("/session/passkey/challenge", undefined, CSRF)).body.data;
    const answer = await stranger().post("/session/passkey", { passkey: device.answer(challenge) }, CSRF);
    expect(answer.status).toBe(status);
  }
}

describe("a passkey that may have been copied", () => {
  test("leaves the account with a second factor: the password alone does not open it, a recovery code does", async () => {
    const person = await signIn(service, "manager");
    const { email, password } = person;
    await loseTrust(person);
    const asked = await stranger().post("/session", { email, password }, CSRF);
    expect(asked.status).toBe(401);
    expect(asked.body.errors).toMatchObject([{ detail: "code required", source: { pointer: "/code" } }]);
    const owner = await signIn(service, "owner");
    const listed = (await owner.get("/people")).body.data.find(({ uid }: { uid: string }) => uid === person.uid);
    expect(listed).toMatchObject({ has_factor: true, passkeys: 0 }); // so that an owner can take it away
    await addPasskey(person);
    const { codes } = (await person.post("/account/recovery-codes")).body.data;
    await cookieOf(service.url, { email, password, code: codes[0] });
  });

  test("is asked for behind a reset's link, too", async () => {
    const owner = await signIn(service, "owner");
    const person = await signIn(service, "manager");
    await loseTrust(person);
    const { link } = (await owner.post(`/people/${person.uid}/password?show_link=true`)).body.data;
    const choice = { token: tokenOfLink(link), password: ANOTHER };
    const chosen = await stranger().post("/invitation", choice, CSRF);
    expect(chosen.body.data).toEqual({ is_signed_in: false });
  });
});

describe("codes of the app", () => {
  test("are not guessed for ever by somebody who is signed in and knows the password", async () => {
    const person = await signIn(service, "support");
    const { secret } = (await person.post("/account/totp")).body.data;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
    const on = await person.put("/account/totp", { code, current_password: STAFF_PASSWORD });
    expect(on.status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      statuses.push((await person.delete("/account/totp", { code: "000 hunter" })).status);
      await person.post("/session/confirm", { password: STAFF_PASSWORD });
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });
});
