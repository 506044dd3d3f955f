import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

// What Grafana needs of a dashboard that is imported; npm run lint:deploy checks the queries with promtool.

const FOLDER = join(import.meta.dirname, "../ops/grafana");
const COLUMNS = 24;

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: { uid: string } }[];
  readonly fieldConfig?: {
    readonly defaults: { readonly unit: string };
    readonly overrides: readonly { readonly matcher: { readonly id: string; readonly options: string } }[];
  };
}

const dashboards = readdirSync(FOLDER).map(
  (name): [string, { uid: string; schemaVersion: number; panels: Panel[] }] => [
    name,
    JSON.parse(readFileSync(join(FOLDER, name), "utf8")),
  ],
);

describe.each(dashboards)("%s", (_name, { panels, schemaVersion }) => {
  const charts = panels.filter(({ type }) => type !== "row");

  test("has panels with ids of their own that lie beside one another", () => {
    expect(schemaVersion).toBeGreaterThan(30);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > COLUMNS)).toEqual([]);
  });

  test("asks the chosen source for the chosen processes, and says in which unit", () => {
    for (const { title, targets = [], fieldConfig } of charts) {
      expect(targets.length, title).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
      expect(fieldConfig?.defaults.unit, title).toMatch(/^(?:short|s|bytes|reqps|percentunit)$/);
      for (const { expr, datasource } of targets) {
        expect(datasource.uid, title).toBe("$" + "{datasource}");
        const selectors = expr.match(/\b[a-z]+_?\w*\{[^}]*\}/g) ?? [];
        expect(selectors.length, title).toBeGreaterThan(0);
        expect(
          selectors.filter((each) => !each.includes('{job=~"$job",instance=~"$instance"')),
          title,
        ).toEqual([]);
      }
    }
  });

  test("has overrides of lines that there are", () => {
    for (const { title, fieldConfig, ...panel } of charts) {
      const text = JSON.stringify(panel);
      for (const { matcher } of fieldConfig?.overrides ?? [])
        expect(text, title).toContain(JSON.stringify(matcher.options));
    }
  });
});
