import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runAs } from "../../src/actor.ts";
import { createStaff } from "../../src/staff/create-staff.ts";
import type { Role } from "../../src/wire/access.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, acceptLink, STAFF_PASSWORD, signIn, signInAs } from "../support/staff.ts";

let service: TestService;
let owner: AdminClient;
let other: AdminClient;
let customer: string;
let made = 0;

beforeAll(async () => {
  service = await startTestService({ worker: false, program: { staff: { approval_limit: 1_000 } } });
  owner = await signIn(service, "owner");
  other = await signIn(service, "owner");
  customer = (await makeCustomer(service.deps)).storefrontId;
});
afterAll(() => service.stop());

/** A person whom somebody invited, and who may be the same one behind the link. */
async function puppetOf(maker: AdminClient, role: Role): Promise<AdminClient> {
  made++;
  const email = `puppet${made}@store.example`;
  const answer = await maker.post("/people", { email, name: `Puppet ${made}`, role });
  return acceptLink(service.url, answer.body.data, email);
}

/** A request of somebody for points above the limit. */
async function ask(by: AdminClient): Promise<string> {
  const uid = randomUUID();
  const answer = await by.post(`/customers/${customer}/adjustments`, { request_uid: uid, point_value: 50_000 });
  expect(answer.body.data.state).toBe("waiting");
  return uid;
}

const approve = (by: AdminClient, uid: string) => by.post(`/approvals/${uid}/approve`, {});

async function expectOne(by: AdminClient, uid: string): Promise<void> {
  const answer = await approve(by, uid);
  expect([answer.status, answer.body.errors?.[0].title]).toEqual([403, "Somebody else has to approve this"]);
}

describe("an approval needs two people", () => {
  test("who was invited approves nothing that whoever invited them asked for; another owner does", async () => {
    const puppet = await puppetOf(owner, "manager");
    const uid = await ask(owner);
    await expectOne(puppet, uid);
    expect((await approve(other, uid)).status).toBe(200);
  });

  test("nor does whoever invited them approve what they asked for", async () => {
    const puppet = await puppetOf(owner, "support");
    await expectOne(owner, await ask(puppet));
    expect((await approve(other, await ask(puppet))).status).toBe(200);
  });

  test("nor do two whom one person invited, one of them through another", async () => {
    const asks = await puppetOf(owner, "support");
    const second = await puppetOf(owner, "owner");
    const decides = await puppetOf(second, "manager");
    await expectOne(decides, await ask(asks));
    await expectOne(decides, await ask(owner));
    expect((await approve(other, await ask(asks))).status).toBe(200);
  });

  test("nor does who was reset, raised, enabled or stripped of the second factor by the other", async () => {
    const acts: ((uid: string) => Promise<{ status: number }>)[] = [
      (uid) => owner.delete(`/people/${uid}/totp`),
      async (uid) => {
        await other.put(`/people/${uid}`, { role: "support" });
        return owner.put(`/people/${uid}`, { role: "manager" });
      },
      async (uid) => {
        await other.post(`/people/${uid}/disable`);
        return owner.post(`/people/${uid}/enable`);
      },
    ];
    for (const act of acts) {
      const manager = await signIn(service, "manager");
      expect((await act(manager.uid)).status).toBe(200);
      await expectOne(await signInAs(service.url, manager), await ask(owner));
    }
    const manager = await signIn(service, "manager");
    const reset = await owner.post(`/people/${manager.uid}/password`);
    await expectOne(await acceptLink(service.url, reset.body.data, manager.email), await ask(owner));
  });

  test("refusing stays open to them, and so does approving after seven days", async () => {
    const puppet = await puppetOf(owner, "manager");
    expect((await puppet.post(`/approvals/${await ask(owner)}/refuse`, {})).status).toBe(200);
    const uid = await ask(owner);
    service.clock.advance({ hours: 7 * 24 - 1 });
    [owner, other] = [await signInAs(service.url, owner), await signInAs(service.url, other)];
    await expectOne(await signInAs(service.url, puppet), uid);
    service.clock.advance({ hours: 1 });
    expect((await approve(await signInAs(service.url, puppet), uid)).status).toBe(200);
    [owner, other] = [await signInAs(service.url, owner), await signInAs(service.url, other)];
  });

  test("what somebody asked for who was disabled or may not ask any more is not approved; it can be refused", async () => {
    const expectGone = async (uid: string) => {
      const answer = await approve(other, uid);
      const title = "The requester is no longer allowed to do this";
      expect([answer.status, answer.body.errors?.[0].title]).toEqual([409, title]);
    };
    const manager = await signIn(service, "manager");
    const uid = await ask(manager);
    const rowOf = async () => (await other.get("/approvals")).body.data.find((row: { uid: string }) => row.uid === uid);
    expect(await rowOf()).toMatchObject({ is_requester_disabled: false });
    await other.post(`/people/${manager.uid}/disable`);
    expect(await rowOf()).toMatchObject({ is_requester_disabled: true });
    await expectGone(uid);
    expect((await other.post(`/approvals/${uid}/refuse`, {})).status).toBe(200);

    const demoted = await signIn(service, "owner");
    const [points, { version }] = [await ask(demoted), (await demoted.get("/program")).body.data];
    const change = async (document: object) =>
      (await demoted.post("/program", { document, base_version: version })).body.data.request_uid;
    const limits = await change({ staff: { approval_limit: null } });
    const reward = await change({ rewards: { signup: 10 } });
    await other.put(`/people/${demoted.uid}`, { role: "manager" });
    await expectGone(limits);
    await other.put(`/people/${demoted.uid}`, { role: "viewer" });
    for (const asked of [points, limits, reward]) await expectGone(asked);
    expect((await other.get("/program")).body.data.version).toBe(version);
  });

  test("whoever has the machine makes two: a command ties nobody to anybody", async () => {
    const actor = { kind: "command", id: null, name: "root", address: null } as const;
    const email = "by-command@store.example";
    const { uid } = await runAs(actor, () =>
      createStaff(service.deps, { email, name: "C", role: "manager", password: STAFF_PASSWORD }),
    );
    const manager = await signInAs(service.url, { uid, email, password: STAFF_PASSWORD });
    expect((await approve(manager, await ask(owner))).status).toBe(200);
    const notices = (await other.get("/access-notices")).body.data;
    expect(notices[0]).toMatchObject({ kind: "invited", staff_uid: uid, by_command: true, by_name: "root" });
  });
});
