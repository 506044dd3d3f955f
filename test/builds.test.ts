import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readBuildInputs } from "../scripts/build-inputs.ts";

// What is built, and what becomes of the build before, by the project's own scripts on a project of a few lines.

const ROOT = join(import.meta.dirname, "..");
const { NODE_ENV: _testing, VITEST: _inside, npm_execpath: _npm, ...env } = process.env;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pointkeeper-builds-"));
  const project = { name: "small", version: "1.0.0", type: "module", files: ["lib/", "dashboard/dist/"] };
  write("package.json", JSON.stringify(project));
  const packages = { "": { name: "small", version: "1.0.0" } };
  const lock = { name: "small", version: "1.0.0", lockfileVersion: 3, requires: true, packages };
  write("package-lock.json", JSON.stringify(lock));
  copy("scripts/build-inputs.ts");
  return () => rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function copy(...paths: string[]): void {
  for (const path of paths) cpSync(join(ROOT, path), join(root, path), { recursive: true });
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const namesIn = (path: string) => readdirSync(join(root, path));
const modeOf = (path: string) => statSync(join(root, path)).mode & 0o777;
/** Of a folder that others may enter: the service runs as another user than the one who built it. */
const FOLDER_MODE = 0o777 & ~process.umask();

function runScript(name: string): void {
  execFileSync(process.execPath, [join("scripts", name)], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
}

/** The paths of the files of a package. */
function packed(): string[] {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  const [made]: { files: { path: string }[] }[] = JSON.parse(text);
  return (made?.files ?? []).map(({ path }) => path);
}

describe("a build of the service's code", () => {
  beforeEach(() => {
    copy("scripts/build-service.ts");
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    write("src/cli.ts", CLI);
    write("src/intake/events-thread.ts", "export const thread = 1;\n");
    write("src/checkpoints/facts-hasher-thread.ts", "export const thread = 2;\n");
  });

  const CLI = `process.stdin.once("data", async () => {
  const { late } = await import("./late.ts");
  console.log(late);
  process.exit();
});
console.log("started");
`;
  const build = (version: string) => {
    write("src/late.ts", `export const late = "late of ${version}";\n`);
    runScript("build-service.ts");
    return namesIn("lib").filter((name) => name.startsWith("service"));
  };

  /** Starts what is built; the answer is what it loads when it is asked to. */
  async function start(): Promise<() => Promise<string>> {
    const child = spawn(process.execPath, [join(root, "lib", "cli.js")], { stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    const ended = new Promise<string>((resolve) => child.once("close", () => resolve(said)));
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (text) => {
        said += text;
        resolve();
      });
    });
    return () => {
      child.stdin.write("now\n");
      return ended;
    };
  }

  test("leaves a service that runs from the one before all that it loads later, and a package without it", async () => {
    const [first = ""] = build("one");
    expect(modeOf(join("lib", first))).toBe(FOLDER_MODE);
    const askFirst = await start();
    const both = build("two");
    const askSecond = await start();
    expect(await askFirst()).toBe("started\nlate of one\n");
    expect(await askSecond()).toBe("started\nlate of two\n");
    expect(both).toHaveLength(2);
    const second = both.find((name) => name !== first);
    expect(packed()).toEqual(expect.arrayContaining(["lib/cli.js", `lib/${second}/cli.js`]));
    expect(packed().filter((path) => path.includes(first) || path.startsWith("lib/."))).toEqual([]);
  });

  test("keeps one before it and no more, also when the same is built again", () => {
    const [first] = build("one");
    const both = build("two");
    expect(build("two").toSorted()).toEqual(both.toSorted());
    const last = build("three");
    expect(last).toHaveLength(2);
    expect(last).not.toContain(first);
  });

  test("keeps the one that lay in one folder with what starts it", () => {
    write("lib/service/cli.js", "");
    expect(build("one")).toContain("service");
    expect(build("two")).not.toContain("service");
  });
});

describe("a build of the dashboard", () => {
  const build = (version: string) => {
    write("dashboard/page.ts", `export const page = "page of ${version}";\n`);
    runScript("build-dashboard.ts");
    const pages = namesIn("dashboard/dist/assets").filter((name) => /^page-.*\.js$/.test(name));
    return new Map(pages.map((name) => [/page of (\w+)/.exec(read(`dashboard/dist/assets/${name}`))?.[1], name]));
  };

  const asset = (name: string | undefined) => `dashboard/dist/assets/${name}`;

  test("keeps what pages that are open load of the one before, and of no other", () => {
    copy("scripts/build-dashboard.ts", "scripts/widget.config.ts", "vite.config.ts");
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    write("packages/widget/src/index.ts", "export const widget = 1;\n");
    write("dashboard/router.tsx", 'page("/", () => import("./page.ts"), "Page");\n');
    write("dashboard/index.html", '<script type="module" src="./main.ts"></script>\n');
    write("dashboard/main.ts", 'import { encode } from "uqr";\nconsole.log(encode, await import("./page.ts"));\n');
    expect([...build("one").keys()]).toEqual(["one"]);
    expect(modeOf("dashboard/dist")).toBe(FOLDER_MODE);
    const both = build("two");
    expect([...both.keys()].toSorted()).toEqual(["one", "two"]);
    expect(packed()).toEqual(expect.arrayContaining(["dashboard/dist/index.html", asset(both.get("two"))]));
    expect(packed()).not.toContain(asset(both.get("one")));
    expect(packed().filter((path) => path.startsWith("dashboard/dist/."))).toEqual([]);
    expect([...build("two").keys()].toSorted()).toEqual(["one", "two"]);
    expect([...build("three").keys()].toSorted()).toEqual(["three", "two"]);
  });
});

describe("an install without the packages that build", () => {
  const install = () => spawnSync(process.execPath, ["scripts/build.ts"], { cwd: root, env, encoding: "utf8" });
  const LONG_AGO = new Date("2020-01-01T00:00:00Z");
  const haveBuilt = (digest: string) => {
    write("dashboard/dist/.built-from", digest);
    write("dashboard/dist/index.html", "built before");
    write("lib/cli.js", `import "./service-${digest}/cli.js";\n`);
    for (const path of ["dashboard/dist/index.html", "lib/cli.js"]) utimesSync(join(root, path), LONG_AGO, LONG_AGO);
  };

  beforeEach(() => {
    copy("scripts/build.ts");
    write("src/cli.ts", "console.log('the sources');\n");
  });

  test("keeps a build of the same sources, whatever their times are, and says so", () => {
    haveBuilt(readBuildInputs(root).digest);
    const { status, stdout } = install();
    expect([status, stdout]).toEqual([0, expect.stringContaining("are built of these sources")]);
    expect(statSync(join(root, "lib/cli.js")).mtimeMs).toBeGreaterThan(statSync(join(root, "src/cli.ts")).mtimeMs);
  });

  test("fails in words where what was built is of other sources and cannot be built", () => {
    haveBuilt("0123456789abcdef");
    const { status, stderr } = install(); // this project has no script that builds a dashboard
    expect([status, stderr]).toEqual([1, expect.stringContaining("do not start it")]);
    expect(read("dashboard/dist/index.html")).toBe("built before");
  });

  test("is told at a start that the sources are newer", () => {
    haveBuilt("0123456789abcdef");
    copy("bin");
    mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
    symlinkSync(process.execPath, join(root, "node_modules/.bin/node"));
    const run = (command: string) => spawnSync(join(root, "bin/pointkeeper"), [command], { env, encoding: "utf8" });
    expect(run("start")).toMatchObject({
      stdout: "the sources\n",
      stderr: expect.stringContaining("the dashboard is still that of the version before: run npm ci --omit=dev"),
    });
    expect(run("verify")).toMatchObject({ stdout: "the sources\n", stderr: "" });
    expect(existsSync(join(root, "node_modules/vite"))).toBe(false);
  });
});
