import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST_NAME, type Manifest } from "../../src/backup/manifest.ts";
import { createDecoder, createEncoder, sha256Of } from "../../src/backup/part-coder.ts";

/** Changes a backup to what the version before a migration would have made, by removing what that one and later ones add. */
export async function makeEarlier(dir: string, earlier: number): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(join(dir, MANIFEST_NAME), "utf8"));
  const later = manifest.migrations.filter(({ number }) => number >= earlier);
  const texts = await Promise.all(later.map(({ name }) => readFile(join("migrations", name), "utf8")));
  const statements = texts.flatMap((text) => text.replaceAll(/--.*/g, "").split(";"));
  const madeTables = new Set(statements.flatMap((text) => /create table (\w+)/.exec(text)?.[1] ?? []));
  const addedColumns = new Set(
    statements.flatMap((text) => {
      const table = /alter table (\w+)/.exec(text)?.[1];
      return [...text.matchAll(/add column (\w+)/g)].map(([, column]) => `${table}.${column}`);
    }),
  );
  const tables = manifest.tables.filter(({ name }) => !madeTables.has(name));
  const before = await Promise.all(
    tables.map(async (table) => {
      const kept = table.columns.map((column) => !addedColumns.has(`${table.name}.${column}`));
      const of = await rewriteRows(dir, table, (cells) =>
        table.name === "migration" && Number(cells[0]) >= earlier ? null : cells.filter((_, n) => kept[n]),
      );
      return { ...of, columns: table.columns.filter((_, n) => kept[n]) };
    }),
  );
  const migrations = manifest.migrations.filter(({ number }) => number < earlier);
  await rewriteManifest(dir, (all) => ({ ...all, migrations, tables: before }));
}

async function rewriteRows(
  dir: string,
  table: Manifest["tables"][number],
  change: (cells: string[]) => string[] | null,
): Promise<Manifest["tables"][number]> {
  const [decoder, encoder] = [await createDecoder(undefined), createEncoder([])];
  let rows = 0;
  const parts: Manifest["tables"][number]["parts"][number][] = [];
  for (const part of table.parts) {
    const text = (await decoder.decode(part, await readFile(join(dir, part.name)))).toString("utf8");
    const changed = text
      .split("\n")
      .flatMap((line) => (line === "" ? [] : (change(line.split("\t"))?.join("\t") ?? [])));
    const bytes = await encoder.encode(Buffer.from(changed.map((line) => `${line}\n`).join("")));
    await writeFile(join(dir, part.name), bytes);
    parts.push({ name: part.name, bytes: bytes.length, sha256: sha256Of(bytes) });
    rows += changed.length;
  }
  return { ...table, rows, parts };
}

export async function rewriteManifest(dir: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  const path = join(dir, MANIFEST_NAME);
  await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, "utf8")))));
}
