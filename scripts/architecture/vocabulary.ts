import { isTest, lineAt, type Source, type Violation } from "./source.ts";

/** A word that must not be used in code and comments of src. */
export interface BannedWord {
  readonly word: RegExp;
  readonly instead: string;
  /** How often it is still used in src; may only decrease. */
  readonly atMost: number;
  /** Files in which it is allowed. */
  readonly except?: RegExp;
}

/** Banned words, with the words of docs/glossary.md or of the field to use instead. A name counts as its words: `readWish` is "read wish". */
const BANNED_WORDS: readonly BannedWord[] = [
  { word: /\b(?:wish|wishes)\b/, instead: "input or query", atMost: 0 },
  // the field `wanted` of an order's postings in the dashboard's interface
  { word: /\bwanted\b/, instead: "input, query, expected or requested", atMost: 8 },
  { word: /\bphrasebooks?\b/, instead: "messages or catalog", atMost: 0 },
  { word: /\btellers?\b/, instead: "formatter", atMost: 0 },
  { word: /\btold\b/, instead: "sent, synced or recorded: what is done", atMost: 0 },
  { word: /\bneed lots\b/, instead: "LotWindowExceeded", atMost: 0 },
  { word: /\bstray points\b/, instead: "points on other customers", atMost: 0 },
  // the fields `orders_to_judge` and `judged_again` of the dashboard's interface
  { word: /\b(?:un)?(?:judge|judges|judged|judging)\b/, instead: "validate, decide or evaluate", atMost: 4 },
  { word: /\b(?:polite|politely)\b/, instead: "adaptive", atMost: 0 },
  { word: /\bgood rows?\b/, instead: "valid row", atMost: 0 },
  { word: /\blanes?\b/, instead: "shard or worker", atMost: 0 },
  { word: /\beditions?\b/, instead: "generation", atMost: 0 },
  { word: /\b(?:fold|folds|folded|folding)\b/, instead: "aggregate", atMost: 0 },
  { word: /\bbells?\b/, instead: "wake signal", atMost: 0 },
  { word: /\bfew at once\b/, instead: "limiter", atMost: 0 },
  { word: /\bwhat is to become\b/, instead: "a plain sentence", atMost: 0 },
  { word: /\bheeds?\b/, instead: "follows or reads", atMost: 0 },
  // the fields `member` of an import's fault in the dashboard's interface and of a failed check in the audit log
  {
    word: /(?<!\btier )(?<!\btier's )\bmembers?\b(?! of (?:\w+ ){0,2}tiers?\b)/,
    instead: "field or property: a member is a customer, and is written as member of a tier",
    atMost: 3,
    // members of another app's loyalty program who are imported
    except:
      /^src\/(?:moving-in\/|customers\/(?:claim|member-id|create-by-hand)|commands\/(?:move-in\/|command-table)|intake\/merge-claimed|imports\/undo\/undo-customers|imports\/apply\/import-customers|imports\/check\/valid|adjustments\/(?:count-address|edit-by-hand|enter-by-hand)|jobs\/schedule|customers\/upsert-customers|db\/roles\/service-grants)/,
  },
  { word: /^\* answers\b/, instead: 'a doc comment that begins with "Returns", or an imperative', atMost: 0 },
];

/** Exported names that several modules share, with the number of modules if it is not two. The list may only become shorter. */
const SHARED_NAMES = "";

/** A name is exported by one module only, so that a search for it finds one thing. */
export function namesTwice(sources: readonly Source[], allowed: string = SHARED_NAMES): Violation[] {
  const limits = limitsOf(allowed);
  return [...modulesByName(sources)]
    .filter(([name, places]) => places.length > (limits.get(name) ?? 1))
    .flatMap(([name, places]) => {
      const message = `${name} is exported by ${places.map(({ path }) => path).join(", ")}`;
      return places.map((place) => ({ ...place, rule: "name-twice", message }));
    });
}

function limitsOf(allowed: string): ReadonlyMap<string, number> {
  return new Map(
    [...allowed.matchAll(/([A-Za-z]\w*)(?: (\d+))?/g)].map(([, name = "", count = "2"]) => [name, Number(count)]),
  );
}

function modulesByName(sources: readonly Source[]): Map<string, { path: string; line: number }[]> {
  const modules = new Map<string, { path: string; line: number }[]>();
  for (const { path, exports } of sources.filter((s) => s.path.startsWith("src/") && !isTest(s.path))) {
    for (const { text, line } of exports) modules.set(text, [...(modules.get(text) ?? []), { path, line }]);
  }
  return modules;
}

/** Banned words are not used again, and the remaining uses do not increase. */
export function bannedWords(sources: readonly Source[], banned: readonly BannedWord[] = BANNED_WORDS): Violation[] {
  return banned.flatMap(({ word, instead, atMost, except }) => {
    const found = usesOf(sources, word, except);
    if (found.length <= atMost) return [];
    const count = atMost === 0 ? "" : `, ${found.length} times and at most ${atMost}`;
    return found.map(({ text, ...place }) => ({
      ...place,
      rule: "banned-word",
      message: `${text}${count}: use ${instead}`,
    }));
  });
}

function usesOf(
  sources: readonly Source[],
  word: RegExp,
  except?: RegExp,
): { path: string; line: number; text: string }[] {
  const pattern = new RegExp(word.source, "gim");
  return sources
    .filter(({ path }) => path.startsWith("src/") && except?.test(path) !== true)
    .flatMap(({ path, code, comments }) =>
      [{ line: 1, text: code }, ...comments].flatMap(({ line, text }) => {
        const words = wordsOf(text);
        return [...words.matchAll(pattern)].map((match) => ({
          path,
          line: line + lineAt(words, match.index) - 1,
          text: match[0],
        }));
      }),
    );
}

/** Splits names into words: `NEED_LOTS` and `needLots` become "need lots"; line breaks are kept. */
function wordsOf(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]/g, " ")
    .replace(/[ \t]+/g, " ");
}

/** Returns limits above the present number of uses, which should be lowered. */
export function loweredVocabulary(sources: readonly Source[]): string[] {
  const modules = modulesByName(sources);
  const words = BANNED_WORDS.flatMap(({ word, atMost, except }) => {
    const found = usesOf(sources, word, except).length;
    return found < atMost ? [`${word.source}: ${found} instead of ${atMost}`] : [];
  });
  const names = [...limitsOf(SHARED_NAMES)].flatMap(([name, limit]) => {
    const found = modules.get(name)?.length ?? 0;
    return found < limit ? [`${name}: ${found < 2 ? "out of the list" : `${found} instead of ${limit}`}`] : [];
  });
  return [...words, ...names];
}
