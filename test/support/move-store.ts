import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Answer, basic, type Client, createClient } from "./client.ts";
import { type Finished, makeFolder, runCli, spawnService } from "./service-process.ts";

const CREDENTIAL = { key: "pk_move", secret: "secret-of-the-move-0123456789abcdef01234567" };

/** The result of importing a file with `pointkeeper import`. */
export interface ImportedFile {
  readonly code: number | null;
  readonly stderr: string;
  /** The JSON that it printed; undefined: nothing. */
  readonly said: Answer["body"];
}

/** A store whose service runs while the command imports files of other apps. */
export interface MoveStore {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly client: Client;
  /** Writes a file and imports it. */
  importFile(from: string, content: string | Uint8Array, ...options: string[]): Promise<ImportedFile>;
  undo(move: string): Promise<Finished>;
  /** undefined: no customer has this id or e-mail address. */
  balanceOf(id: string): Promise<number | undefined>;
  /** The customer's spend in other apps, as counted toward tiers. */
  spentElsewhere(id: string): Promise<number>;
  stop(): Promise<void>;
}

/** The path of a balance, by a customer's id or e-mail address. */
export function balancePath(id: string): string {
  return `/api/storefront/point_balances/${encodeURIComponent(id)}`;
}

export async function startMoveStore(): Promise<MoveStore> {
  const folder = await makeFolder();
  const env = {
    POINTKEEPER_DATA_DIR: join(folder.path, "data"),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  };
  const service = await spawnService(env);
  const client = createClient(service.url, basic(CREDENTIAL));
  let files = 0;
  return {
    folder: folder.path,
    env,
    client,
    async importFile(from, content, ...options) {
      const path = join(folder.path, `file-${++files}.csv`);
      await writeFile(path, content);
      const { code, stdout, stderr } = await runCli(["import", path, "--from", from, "--json", ...options], env);
      return { code, stderr, said: stdout === "" ? undefined : JSON.parse(stdout) };
    },
    undo: (move) => runCli(["import", "--undo", move, "--json"], env),
    balanceOf: async (id) => (await client.get(balancePath(id))).body.data?.point_balance,
    spentElsewhere: async (id) =>
      (await client.get(`${balancePath(id)}/tier/explanation`)).body.data.spent_elsewhere.raw_amount,
    async stop() {
      await service.stop();
      await folder.remove();
    },
  };
}
