import { UsageError } from "../config.ts";
import { type Command, type Given, optionsOf } from "./command-line.ts";
import { print } from "./output.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** `pointkeeper completion bash|zsh|fish`: prints the shell's completion script for every command of the table. */
export async function completion(given: Given, commands: readonly Command[]): Promise<number> {
  const shell = SHELLS.find((name) => name === given.operands[0]);
  if (shell === undefined) throw new UsageError(`Expected one of ${SHELLS.join(", ")}, not "${given.operands[0]}".`);
  const script = completionScript(shell, commands);
  print(given, { json: { shell, script }, text: script.trimEnd().split("\n") });
  return 0;
}

/** Returns the script that a shell reads to complete `pointkeeper`. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const words = wordsOf(commands);
  if (shell === "bash") return bashScript(words);
  return shell === "zsh" ? zshScript(words) : fishScript(words);
}

/** How operands and values that are files or folders are called. */
const IS_FILE = /\b(?:file|folder|backup)\b/;

/** What may follow the words of a command line. */
interface Following {
  /** The preceding words of a command or a group; empty: none. */
  readonly path: string;
  /** Each with its description. */
  readonly words: ReadonlyMap<string, string>;
  readonly options: ReadonlyMap<string, string>;
  /** The values of options that have a list of values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The options whose value is a file or a folder. */
  readonly fileOptions: readonly string[];
  /** Whether its operand is a file or a folder. */
  readonly takesFiles: boolean;
}

function wordsOf(commands: readonly Command[]): Following[] {
  const paths = new Set(["", ...commands.flatMap(({ name }) => [name.split(" ")[0] ?? "", name])]);
  return [...paths].map((path) => followingOf(path, commands));
}

function followingOf(path: string, commands: readonly Command[]): Following {
  const command = commands.find(({ name }) => name === path);
  const depth = path === "" ? 0 : path.split(" ").length;
  const below = commands.filter(({ name }) => (path === "" ? true : name.startsWith(`${path} `)));
  const words = new Map<string, string>();
  for (const { name, summary } of below) {
    const parts = name.split(" ");
    const word = parts[depth] ?? "";
    words.set(word, parts.length === depth + 1 ? summary : `${word} commands`);
  }
  for (const choice of command?.operands?.[0]?.replace(/\?$/, "").split("|") ?? [])
    if (/^[a-z]+$/.test(choice) && (command?.operands?.[0] ?? "").includes("|")) words.set(choice, "");
  if (depth === 0) words.set("help", "show how a command is used");
  const named = command === undefined ? [] : Object.entries(optionsOf(command));
  const options = named.map(([name, { about }]) => [`--${name}`, about] as const);
  const values = named.flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [[`--${name}`, choices] as const],
  );
  return {
    path,
    words,
    options: new Map([...options, ["--help", "show how it is used, and do nothing else"]]),
    values: new Map(values),
    fileOptions: named.flatMap(([name, { value = "" }]) => (IS_FILE.test(value) ? [`--${name}`] : [])),
    takesFiles: (command?.operands ?? []).some((operand) => IS_FILE.test(operand)),
  };
}

const HEAD = (shell: Shell, how: string) => `# ${shell} completion of pointkeeper. To use it: ${how}\n`;

function bashScript(all: readonly Following[]): string {
  const branches = all.map(({ path, words, options, takesFiles }) => {
    const files = takesFiles ? " files=1" : "";
    return `    ${quoted(path)}) words=${quoted([...words.keys()].join(" "))} options=${quoted([...options.keys()].join(" "))}${files} ;;\n`;
  });
  const values = all.flatMap(({ path, values: own }) =>
    [...own].map(([option, choices]) => `    ${quoted(`${path} ${option}`)}) values=${quoted(choices.join(" "))} ;;\n`),
  );
  const files = all.flatMap(({ path, fileOptions }) => fileOptions.map((option) => quoted(`${path} ${option}`)));
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `${HEAD("bash", "source <(pointkeeper completion bash)")}
_pointkeeper() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' word='' words='' options='' values='' files='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${path:+$path }$word" in
    ${paths.join("|")}) path="\${path:+$path }$word" ;;
    *) break ;;
    esac
  done
  case "$path $previous" in
    ${files.join("|")})
      COMPREPLY=($(compgen -f -- "$current"))
      return ;;
${values.join("")}  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "$path" in
${branches.join("")}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$current"))
  return 0
}
complete -o filenames -F _pointkeeper pointkeeper
`;
}

function zshScript(all: readonly Following[]): string {
  const entry = ([word, about]: readonly [string, string]) => quoted(`${word.replaceAll(":", "\\:")}:${about}`);
  const branches = all.map(({ path, words, options, takesFiles }) => {
    const lists = [`words_=(${[...words].map(entry).join(" ")})`, `options_=(${[...options].map(entry).join(" ")})`];
    return `    ${quoted(path)}) ${lists.join(" ")}${takesFiles ? " files_=1" : ""} ;;\n`;
  });
  const values = all.flatMap(({ path, values: own }) =>
    [...own].map(
      ([option, choices]) =>
        `    ${quoted(`${path} ${option}`)}) compadd -- ${choices.map(quoted).join(" ")}; return ;;\n`,
    ),
  );
  const files = all.flatMap(({ path, fileOptions }) => fileOptions.map((option) => quoted(`${path} ${option}`)));
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `#compdef pointkeeper
${HEAD("zsh", "source <(pointkeeper completion zsh), after compinit")}
_pointkeeper() {
  local path_='' word_ files_='' i
  local -a words_ options_
  for ((i = 2; i < CURRENT; i++)); do
    word_=\${words[i]}
    case "\${path_:+$path_ }$word_" in
    ${paths.join("|")}) path_="\${path_:+$path_ }$word_" ;;
    *) break ;;
    esac
  done
  case "$path_ \${words[CURRENT-1]}" in
    ${files.join("|")}) _files; return ;;
${values.join("")}  esac
  case "$path_" in
${branches.join("")}  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option options_
    return
  fi
  (( \${#words_} )) && _describe command words_
  [[ -n $files_ ]] && _files
  return 0
}
compdef _pointkeeper pointkeeper
`;
}

function fishScript(all: readonly Following[]): string {
  const lines = all.flatMap(({ path, words, options, values, fileOptions, takesFiles }) => {
    const condition = quoted(`__pointkeeper_is ${path === "" ? "''" : `"${path}"`}`);
    const start = `complete -c pointkeeper -n ${condition}`;
    const choices = (option: string) => {
      if (fileOptions.includes(option)) return " -r -F";
      const own = values.get(option);
      return own === undefined ? "" : ` -x -a ${quoted(own.join(" "))}`;
    };
    return [
      ...[...words].map(([word, about]) => `${start} -a ${quoted(word)} -d ${quoted(about)}`),
      ...[...options].map(([option, about]) => `${start} -l ${option.slice(2)}${choices(option)} -d ${quoted(about)}`),
      ...(takesFiles ? [`${start} -F`] : []),
    ];
  });
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `${HEAD("fish", "pointkeeper completion fish | source")}
function __pointkeeper_is --argument-names expected
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$path $word")
    contains -- "$longer" ${paths.join(" ")}; or break
    set path $longer
  end
  test "$path" = "$expected"
end
complete -c pointkeeper -f
${lines.join("\n")}
`;
}

/** Quotes a text with single quotes, which works in every supported shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
