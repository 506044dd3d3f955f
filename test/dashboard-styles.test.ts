import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const DASHBOARD = join(import.meta.dirname, "../dashboard");
const PACKAGES = join(import.meta.dirname, "../node_modules/@mantine");
const CORE = join(PACKAGES, "core");
const USERS = [DASHBOARD, join(PACKAGES, "notifications/esm")];
/** `import { Button, type ButtonProps } from "@mantine/core"`. */
const OF_CORE = /import \{([^}]*)\} from "@mantine\/core"/g;
const MODULES = /import \{([^}]*)\} from "(\.\/[^"]+)"/g;
/** Parts of a stylesheet in which a dot begins no class of its own. */
const NO_CLASS = /:global\([^)]*\)|url\([^)]*\)|\/\*[\s\S]*?\*\//g;
const STYLED = /([A-Za-z]+)\.module\.mjs$/;

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
}

/** What the dashboard, and the library's packages that it uses, take from the core. */
function usedNames(): Set<string> {
  const files = USERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !name.startsWith("dist"))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  return new Set(files.flatMap((text) => [...text.matchAll(OF_CORE)].flatMap(([, list = ""]) => namesIn(list))));
}

/** The modules of the core by what they export. */
function modulesByName(): Map<string, string> {
  const index = readFileSync(join(CORE, "esm/index.mjs"), "utf8");
  const modules = [...index.matchAll(MODULES)].flatMap(([, list = "", path = ""]) =>
    namesIn(list).map((name): [string, string] => [name.split(" as ").at(-1) ?? "", join(CORE, "esm", path)]),
  );
  return new Map(modules);
}

/** The components whose classes some modules come to use. */
function styledBy(modules: readonly string[]): string[] {
  const seen = new Set<string>();
  const open = [...modules];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const folder = dirname(path);
    open.push(
      ...[...readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g)].map(([, other = ""]) => join(folder, other)),
    );
  }
  return [...seen].flatMap((path) => STYLED.exec(path)?.[1] ?? []);
}

const imported = [
  ...readFileSync(join(DASHBOARD, "mantine-styles.ts"), "utf8").matchAll(/styles\/([^.]+)\.layer\.css"/g),
].map(([, name = ""]) => name);

test("each component that is used has its styles, and no other", () => {
  const modules = modulesByName();
  const styled = styledBy([...usedNames()].flatMap((name) => modules.get(name) ?? []));
  expect(styled.length).toBeGreaterThan(30);
  const withFile = styled.filter((name) => existsSync(join(CORE, "styles", `${name}.layer.css`)));
  expect(imported.filter((name) => /^[A-Z]/.test(name)).toSorted()).toEqual([...new Set(withFile)].toSorted());
});

test("the styles stand in the library's order, on which what overrides what depends", () => {
  const all = readFileSync(join(CORE, "styles.layer.css"), "utf8");
  const places = imported.map((name) => {
    const own = readFileSync(join(CORE, "styles", `${name}.layer.css`), "utf8");
    return all.indexOf(own.slice(own.indexOf("{") + 1, own.lastIndexOf("}")).trim());
  });
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("each class of a page's styles is used by a file that imports them", () => {
  const files = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith("dist"),
  );
  const read = (name: string) => readFileSync(join(DASHBOARD, name), "utf8");
  const users = new Map<string, string[]>();
  for (const name of files.filter((file) => /\.tsx?$/.test(file))) {
    const text = read(name);
    for (const [, path = ""] of text.matchAll(/"(\.[^"]+\.module\.css)"/g)) {
      const styles = join(dirname(name), path);
      users.set(styles, [...(users.get(styles) ?? []), text]);
    }
  }
  const unused = files
    .filter((file) => file.endsWith(".module.css"))
    .flatMap((file) => {
      const text = (users.get(file) ?? []).join("");
      const classes = new Set(
        read(file)
          .replaceAll(NO_CLASS, "")
          .match(/(?<=\.)[a-zA-Z_][\w-]*/g),
      );
      return [...classes].filter((name) => !text.includes(`"${name}"`)).map((name) => `${file}: .${name}`);
    });
  expect(users.size).toBeGreaterThan(30);
  expect(unused).toEqual([]);
});
