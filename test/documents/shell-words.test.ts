import { expect, test } from "vitest";
import { pointkeeperArgs, shellCommands } from "../support/documents/shell-words.ts";

test("a script is cut into commands and words as a shell does it", () => {
  const script = `npx pointkeeper verify --json   # 1: "not"
A=$(npx pointkeeper users list | head -1) cat < in.txt > "out file"
curl -H 'x: y z' \\
  -d "{\\"a\\": 1}" "$API/x?a=1&b=2" && echo a\\ b; true`;
  expect(shellCommands(script)).toEqual([
    ["npx", "pointkeeper", "verify", "--json"],
    ["A=$(npx pointkeeper users list | head -1)", "cat"],
    ["curl", "-H", "x: y z", "-d", '{"a": 1}', "$API/x?a=1&b=2"],
    ["echo", "a b"],
    ["true"],
    ["npx", "pointkeeper", "users", "list"],
    ["head", "-1"],
  ]);
});

test("the arguments of pointkeeper are found behind npx, settings and a container", () => {
  const argsOf = (script: string) => shellCommands(script).map(pointkeeperArgs);
  expect(argsOf("POINTKEEPER_DATA_DIR=/x npx pointkeeper verify\npointkeeper jobs")).toEqual([["verify"], ["jobs"]]);
  expect(argsOf("docker compose exec api pointkeeper doctor\ndocker build -t pointkeeper .")).toEqual([
    ["doctor"],
    undefined,
  ]);
});
