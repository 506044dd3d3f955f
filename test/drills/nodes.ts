import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { spawnService } from "../support/service-process.ts";
import { CREDENTIAL } from "./traffic.ts";

/** What a drill came to. */
export interface DrillResult {
  readonly drill: string;
  readonly acknowledged: number;
  /** Null, as the two below: nobody sent anything. */
  readonly errors: number | null;
  readonly unanswered: number | null;
  /** Acknowledged and not there. */
  readonly lost: number;
  readonly doubled: number;
  /** Delivered, and not in the ledger; of a backup: in it, and not sent by then. */
  readonly invented: number;
  readonly gapMs: number | null;
  /** Whether `pointkeeper verify` found all in order. */
  readonly isVerified: boolean;
  /** What else is to be said, in words. */
  readonly note: string;
  /** What should not be, in words. */
  readonly faults: readonly string[];
}

export const BASE_ENV = {
  POINTKEEPER_SECRET_KEY: "a secret key of the drills, 0123456789",
  POINTKEEPER_API_KEY: CREDENTIAL.key,
  POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
  LOG_LEVEL: "error",
};

/** Nodes of a service over one database, each for the API and the background work. */
export interface Nodes {
  readonly urls: readonly string[];
  /** SIGTERM, waited for, and another in its place, of the version in the folder `root`; returns that one's address. */
  restart(index: number, root?: string): Promise<string>;
  end(): Promise<void>;
}

export async function startNodes(
  folder: string,
  count: number,
  env: Record<string, string>,
  first?: string,
): Promise<Nodes> {
  const start = (index: number, root?: string) => {
    const dataDir = join(folder, `node${index}`);
    mkdirSync(dataDir, { recursive: true });
    return spawnService({ ...BASE_ENV, ...env, POINTKEEPER_DATA_DIR: dataDir }, [], root);
  };
  const nodes = await Promise.all(Array.from({ length: count }, (_, index) => start(index, first))); // one migrates, where that is needed
  return {
    urls: nodes.map(({ url }) => url),
    async restart(index, root) {
      const ended = await nodes[index]?.stop();
      if (ended?.code !== 0) throw new Error(`a node that was told to end ended with ${ended?.code}: ${ended?.stderr}`);
      const next = await start(index, root);
      nodes[index] = next;
      return next.url;
    },
    async end() {
      for (const node of nodes) {
        node.child.kill("SIGKILL");
        await node.ended;
      }
    },
  };
}
