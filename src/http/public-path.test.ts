import { expect, test } from "vitest";
import { healthChecks, pathRemover, publicPath } from "./public-path.ts";

test("the path of the public address has no slash at its end", () => {
  expect(
    ["https://a.example", "https://a.example/", "https://a.example/points", "https://a.example/a/b/"].map(publicPath),
  ).toEqual(["", "", "/points", "/a/b"]);
});

test("a request's address loses the path once, and only where it is a whole part of it", () => {
  expect(pathRemover("")).toBeNull();
  const remove = pathRemover("/points") ?? ((url: string) => url);
  const asked = [
    "/points",
    "/points/",
    "/points?a=1",
    "/points/admin/?a=/points",
    "/pointsmen",
    "/admin",
    "/points/points/a",
    "*",
  ];
  expect(asked.map(remove)).toEqual(["/", "/", "/?a=1", "/admin/?a=/points", "/pointsmen", "/admin", "/points/a", "*"]);
});

test("a check of health is known as such with the path and without it", () => {
  const below = healthChecks("https://a.example/points");
  expect(["/points/ready", "/points/health", "/ready", "/points/readyness", "/points"].map(below)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(["/ready", "/points/ready"].map(healthChecks("https://a.example"))).toEqual([true, false]);
});
