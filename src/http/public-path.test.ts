import { expect, test } from "vitest";
import { healthChecks, originForm, pathRemover, publicPath } from "./public-path.ts";

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

test("a URL with scheme and host loses both; any other stays", () => {
  const whole = [
    "http://a.example/points?a=1",
    "HTTPS://A.example:8443//b",
    "http://a.example",
    "http://a.example?a=/b",
  ];
  expect(whole.map(originForm)).toEqual(["/points?a=1", "//b", "/", "/?a=/b"]);
  const others = ["/points", "*", "/http://a.example/b", "a.example:443", "ftp://a.example/b"];
  expect(others.map(originForm)).toEqual(others);
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
