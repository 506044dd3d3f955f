import { afterAll, beforeAll, expect, test } from "vitest";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";
import { type ReplicatedDatabase, startReplicatedDatabase } from "../../support/standby.ts";
import { waitUntil } from "../../support/wait-until.ts";

let servers: ReplicatedDatabase;
let service: TestService;

beforeAll(async () => {
  servers = await startReplicatedDatabase();
  service = await startTestService({ database: servers.primary, worker: false });
});
afterAll(async () => {
  await service?.stop();
  await servers?.drop();
});

const urlOf = ({ user, host, port, database }: TestService["connection"]) =>
  `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

async function replicaFinding(replica = servers.standby): Promise<unknown> {
  const { stdout } = await runCli(["doctor", "--json"], {
    DATABASE_URL: urlOf(servers.primary.connection),
    DATABASE_REPLICA_URL: urlOf(replica),
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
  });
  const { checks } = JSON.parse(stdout);
  return checks.find(({ name }: { name: string }) => name === "replica");
}

test("doctor compares a replica with the primary, also one that lost it and has replayed all that it received", async () => {
  expect(await replicaFinding()).toMatchObject({ state: "ok", says: "it has all that the primary had a moment ago" });
  expect(await replicaFinding(servers.primary.connection)).toMatchObject({ state: "fail" });
  await servers.onStandby("alter system set primary_conninfo = ''");
  await servers.onStandby("select pg_reload_conf()");
  await waitUntil(async () => (await servers.onStandby("select from pg_stat_wal_receiver")).length === 0);
  await service.client.put("/api/storefront/customers/ann", {});
  expect(await replicaFinding()).toMatchObject({
    state: "warn",
    says: expect.stringContaining("behind the primary, from which it receives nothing"),
  });
});
