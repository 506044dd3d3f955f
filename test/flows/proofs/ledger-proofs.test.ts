import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readNewestFile } from "../../../src/checkpoints/checkpoint-files.ts";
import { type AllotmentProof, checkProof } from "../../../src/checkpoints/proof.ts";
import { runCheckpoints } from "../../../src/checkpoints/run-checkpoints.ts";
import { readCheckpoint, readVerifierKey } from "../../../src/checkpoints/signed-note.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { asyncListener } from "../../support/async-listener.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const ALLOTMENTS = 300;
const PATIENCE_MS = 120_000;
const PAUSE_MS = 120;

let service: TestService;
let folder: string;
let receiver: Server;
const sent: string[] = [];
const uids: string[] = [];

const proofPath = (uid: string) => `/api/storefront/point_allotments/uid/${uid}/proof`;

/** Closes checkpoints until one covers an allotment: transactions of other databases of the server hold the settled mark up for as long as they run. */
async function proofOf(uid: string): Promise<AllotmentProof> {
  let proof: AllotmentProof | undefined;
  await waitUntil(
    async () => {
      await runCheckpoints(service.deps);
      const { status, body } = await service.client.get(proofPath(uid));
      expect([200, 409]).toContain(status);
      if (status === 409) return false;
      const { leaf, index, path, checkpoint, public_key: publicKey } = body.data;
      proof = { leaf, index: BigInt(index), path, checkpoint, publicKey };
      return true;
    },
    PATIENCE_MS,
    PAUSE_MS,
  );
  if (proof === undefined) throw new Error("no checkpoint covers it");
  return proof;
}

describe("proofs of allotments", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pointkeeper-proofs-"));
    const listener = asyncListener(async (request, response) => {
      sent.push(await text(request));
      response.end();
    });
    receiver = createServer(listener);
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    const { port } = receiver.address() as AddressInfo; // cast: a TCP server's address is an object
    const config = { checkpointDir: join(folder, "outside"), checkpointUrl: `http://127.0.0.1:${port}/` };
    service = await startTestService({ worker: false, config });
    const { deps } = service;
    const customer = await makeCustomer(deps);
    const postings = Array.from({ length: ALLOTMENTS }, () => {
      const uid = deps.random.uid();
      uids.push(uid);
      const change = { kind: "add", pointValue: 1n, shortfall: "refuse" } as const;
      return { customer, posting: plainPosting(uid, "api", "test", change) };
    });
    await deps.db.tx((tx) => postAllotments(tx, deps, postings));
  });
  afterAll(async () => {
    await service.stop();
    receiver.close();
    await rm(folder, { recursive: true });
  });

  test("an allotment that no checkpoint covers yet is answered with 409 and when to ask again", async () => {
    const answer = await service.client.get(proofPath(uids[0] ?? ""));
    expect([answer.status, answer.body.errors[0].title]).toEqual([409, "No checkpoint covers this yet"]);
    expect(answer.headers.get("retry-after")).toBe("10");
    expect((await service.client.get(proofPath("00000000-0000-7000-8000-000000000000"))).status).toBe(404);
  });

  test("every allotment is proven, in full tiles and behind them", async () => {
    await proofOf(uids[ALLOTMENTS - 1] ?? "");
    for (const i of [0, 1, 126, 127, 128, 255, 256, 257, 298, 299]) {
      const uid = uids[i] ?? "";
      const proof = await proofOf(uid);
      expect(proof.index).toBe(BigInt(i));
      expect(checkProof(proof, proof.publicKey)).toMatchObject({ allotments: { size: BigInt(ALLOTMENTS) } });
      expect(JSON.parse(proof.leaf).slice(2, 4)).toEqual([i + 1, uid]);
    }
    const uid = uids[7] ?? "";
    const { status, body } = await service.client.get(proofPath(uid.toUpperCase()));
    expect([status, body.data?.uid, body.data?.index]).toEqual([200, uid, 7]);
  });

  test("what a process had not delivered outside when it ended, the next one delivers", async () => {
    await runCheckpoints(service.deps);
    const outside = join(folder, "outside");
    await rm(outside, { recursive: true });
    const before = sent.length;
    await runCheckpoints({ ...service.deps, db: { ...service.deps.db } });
    const [newest] = await service.deps.db.query<{ note: string }>(
      "select note from checkpoint order by n desc limit 1",
    );
    expect(await readNewestFile({ folder: outside, access: null })).toBe(newest?.note);
    expect(sent.slice(before)).toEqual([newest?.note]);
  });

  test("what was changed in a proof proves nothing", async () => {
    const proof = await proofOf(uids[7] ?? "");
    const other = await proofOf(uids[8] ?? "");
    const changes: readonly Partial<AllotmentProof>[] = [
      { leaf: proof.leaf.replace(',1,8,"', ',2,8,"') },
      { leaf: other.leaf },
      { index: proof.index + 1n },
      { path: other.path },
      { path: [] },
      { path: Array.from({ length: 65 }, () => "") },
      { checkpoint: proof.checkpoint.replace(`\n${ALLOTMENTS}\n`, `\n${ALLOTMENTS + 1}\n`) },
      { publicKey: "somebody+0+AAAA" },
    ];
    for (const change of changes) {
      expect({ ...proof, ...change }).not.toEqual(proof);
      expect(checkProof({ ...proof, ...change }, null)).toEqual(expect.any(String));
    }
    expect(checkProof(proof, `${proof.publicKey}x`)).toEqual(expect.any(String));
  });

  test("verify-proof needs no database: 0 where it holds, 1 where it does not, 2 where it is no proof", async () => {
    const { body } = await service.client.get(proofPath(uids[299] ?? ""));
    const good = join(folder, "good.json");
    const bad = join(folder, "bad.json");
    await writeFile(good, JSON.stringify(body));
    await writeFile(bad, JSON.stringify(body).replace(",1,300,", ",9,300,"));
    const nowhere = { POINTKEEPER_DATA_DIR: join(folder, "nothing") };
    const held = await runCli(["verify-proof", good, "--key", body.data.public_key], nowhere);
    expect([held.code, held.stdout]).toEqual([0, expect.stringMatching(/^ok {3}allotment 299 of 300: \["allotment"/)]);
    expect(await runCli(["verify-proof", bad], nowhere)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^FAIL /),
    });
    await writeFile(bad, "{}");
    expect((await runCli(["verify-proof", bad], nowhere)).code).toBe(2);
  });

  test("the newest checkpoint is answered, written into the folder and sent to the address", async () => {
    const { body } = await service.client.get("/api/storefront/ledger/checkpoint");
    const key = readVerifierKey(body.data.public_key);
    expect(readCheckpoint(body.data.checkpoint, key?.publicKey ?? Buffer.alloc(32))).toMatchObject({
      origin: key?.origin,
    });
    const files = (await readdir(join(folder, "outside"))).sort();
    expect(files).toEqual(["2026-03-01.checkpoint", "newest.checkpoint"]);
    for (const file of files) expect(await readFile(join(folder, "outside", file), "utf8")).toBe(body.data.checkpoint);
    expect(sent.length).toBeGreaterThan(0);
    for (const note of sent) expect(readCheckpoint(note, key?.publicKey ?? Buffer.alloc(32))).not.toBeNull();
  });

  test("an allotment that was changed is not proven any more", async () => {
    const db = service.owner;
    await db.execute("update allotment set reason_type = 'other' where uid = $1", [uids[3] ?? ""]);
    const answer = await service.client.get(proofPath(uids[3] ?? ""));
    expect([answer.status, answer.body.errors[0].title]).toEqual([
      409,
      "The ledger differs from its signed checkpoints",
    ]);
    await db.execute("update allotment set reason_type = null where uid = $1", [uids[3] ?? ""]);
    expect((await service.client.get(proofPath(uids[3] ?? ""))).status).toBe(200);
  });
});
