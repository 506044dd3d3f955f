import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { makeFolder } from "../support/service-process.ts";

const SECRET_KEY = "a secret key of the tests, 0123456789";

test("a disk that is full before the backup ends fails it in words and leaves nothing but the run", {
  timeout: 240_000,
}, async () => {
  const [database, folder] = await Promise.all([createTestDatabase(), makeFolder()]);
  const { host, port, user, database: name } = database.connection;
  const DATABASE_URL = `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
  const env = { ...process.env, DATABASE_URL, POINTKEEPER_SECRET_KEY: SECRET_KEY, LOG_LEVEL: "error" };
  const backUp = (path: string, blocks: string) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      // the system refuses what is longer than so many blocks of a file, as a disk without room does
      const args = ["-c", `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, "src/cli.ts", "backup", path];
      execFile("sh", args, { env }, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
    });
  const runs = () => database.owner.query<{ error: string | null }>("select error from backup_run order by started_at");
  try {
    for (const made of ["copy", "copy.tar"]) {
      const place = join(folder.path, made);
      const { code, stderr } = await backUp(place, "8");
      expect(stderr).toMatch(/^The backup cannot be written to \S+: EFBIG.*Nothing was left there\.\n$/);
      expect([code, await readdir(folder.path)]).toEqual([1, []]);
    }
    expect((await runs()).map(({ error }) => error?.includes("EFBIG"))).toEqual([true, true]);
    expect(await backUp(join(folder.path, "copy"), "unlimited")).toMatchObject({ code: 0 });
    expect((await runs()).map(({ error }) => error === null)).toEqual([false, false, true]);
  } finally {
    await database.drop();
    await folder.remove();
  }
});
