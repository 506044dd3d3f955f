/** One command of a shell script: its words, without redirections and quotes. */
export type Words = readonly string[];

/** The parts of a script: a word, the end of a command, or a redirection, whose target is not a word of the command. */
const PIECE =
  /(?<comment>(?<=^|[\s;&|(])#[^\n]*)|(?<end>\n|;|&&|\|\||[|&])|(?<redirect>\d*[<>]{1,2}&?)|(?<word>(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\$\((?:[^()]|\([^()]*\))*\)|[^\s;&|<>'"\\])+)/g;

/**
 * Returns the commands of a script in the order of the text, those in `$(...)` after the command that contains them. It supports the syntax that the
 * documents use: quotes, comments, pipes, lists, continued lines, redirections and assignments; no loops and no here-documents.
 */
export function shellCommands(script: string): Words[] {
  const commands: string[][] = [[]];
  const inner: string[] = [];
  let isTarget = false; // the target of a redirection
  for (const { groups = {} } of script.replaceAll("\\\n", " ").matchAll(PIECE)) {
    if (groups["end"] !== undefined) commands.push([]);
    else if (groups["redirect"] !== undefined) isTarget = true;
    else if (groups["word"] !== undefined) {
      const word = groups["word"];
      inner.push(...[...word.matchAll(/\$\(((?:[^()]|\([^()]*\))*)\)/g)].map((match) => match[1] ?? ""));
      if (!isTarget) commands.at(-1)?.push(unquoted(word));
      isTarget = false;
    }
  }
  return [...commands.filter((words) => words.length > 0), ...inner.flatMap(shellCommands)];
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])/g, (_, single, double, escaped) =>
    [single, double?.replace(/\\(["\\$`])/g, "$1"), escaped].find((part) => part !== undefined),
  );
}

/** Returns the arguments of a `pointkeeper` command, or undefined for another command. */
export function pointkeeperArgs(words: Words): readonly string[] | undefined {
  const at = words.indexOf("pointkeeper");
  const before = words.slice(0, Math.max(at, 0)).filter((word) => !/^[A-Z_]+=/.test(word));
  const isRun = before.length === 0 || ["npx", "api", "worker", "--", "-s"].includes(before.at(-1) ?? "");
  return at >= 0 && isRun ? words.slice(at + 1) : undefined;
}
