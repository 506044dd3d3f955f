import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { SearchIcon } from "../layout/icons.tsx";
import classes from "./search-field.module.css";

interface SearchFieldProps {
  value: string;
  /** Called with the typed text shortly after the last keystroke. */
  onChange(value: string): void;
  label: string;
  placeholder?: string;
}

const WAIT_MS = 150;

/** The search of a list; `/` anywhere on the page focuses it. */
export function SearchField({ value, onChange, label, placeholder }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  useSlashKey(input);
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = typed;
      onChange(typed);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes["field"] ?? ""}
      leftSection={<SearchIcon />}
      aria-label={label}
      placeholder={placeholder ?? label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || event.metaKey || event.ctrlKey || event.altKey || isTyping) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [input]);
}
