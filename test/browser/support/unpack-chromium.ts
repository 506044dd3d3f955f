import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inflate } from "@sparticuz/chromium";
import { cacheFolder } from "./cache-folder.ts";
import { withLock } from "./with-lock.ts";

const require = createRequire(import.meta.url);
const PACKAGE = resolve(dirname(require.resolve("@sparticuz/chromium")), "..");
const JAPANESE_FONTS = dirname(require.resolve("@expo-google-fonts/biz-udpgothic"));
const ARCHIVES = ["chromium.br", "al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"];

/** Which fonts a browser finds: both have Latin letters, one of them nothing else. */
export type Fonts = "japanese" | "latin";

/** Where the browser of the tests lies: its own libraries and fonts are with it, since a bare machine has none. */
export interface ChromiumFiles {
  readonly executable: string;
  readonly libraries: string;
  readonly fontsFile: Readonly<Record<Fonts, string>>;
}

/** Chromium with its libraries, unpacked once for each version and user into a folder that only whole ones get the name of. */
export async function unpackChromium(): Promise<ChromiumFiles> {
  const folder = join(await cacheFolder(), `chromium-${await packageVersion()}`);
  if (!existsSync(folder)) {
    await withLock("chromium", async () => {
      if (!existsSync(folder)) await unpackInto(folder);
    });
  }
  const fontsFile = { japanese: join(folder, "japanese.conf"), latin: join(folder, "latin.conf") };
  return { executable: join(folder, "chromium"), libraries: join(folder, "al2023", "lib"), fontsFile };
}

async function packageVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  return version;
}

async function unpackInto(folder: string): Promise<void> {
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await Promise.all(unpackAll(unfinished));
  const latin = join(folder, "fonts", "fonts");
  await writeFile(join(unfinished, "latin.conf"), fontsConfig(join(folder, "cache-latin"), [latin]));
  const japanese = fontsConfig(join(folder, "cache-japanese"), [latin, JAPANESE_FONTS]);
  await writeFile(join(unfinished, "japanese.conf"), japanese);
  await rename(unfinished, folder);
}

/** The package unpacks into the system's temporary folder, whose name it reads when it is imported, and uses files that are there already. */
function unpackAll(folder: string): Promise<string>[] {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    if (tmpdir() !== folder) throw new Error("the temporary folder cannot be chosen on this system");
    return ARCHIVES.map((archive) => inflate(join(PACKAGE, "bin", archive)));
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

/** A fontconfig file with only these folders, so that pictures are the same on every machine. */
function fontsConfig(cache: string, folders: readonly string[]): string {
  const dirs = folders.map((folder) => `<dir>${folder}</dir>`).join("");
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}<cachedir>${cache}</cachedir></fontconfig>\n`;
}
