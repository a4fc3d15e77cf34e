from __future__ import annotations


def test_c_static_functions_belong_to_their_file(written, ask) -> None:
    written(
        {
            "shape.h": """
                #ifndef SHAPE_H
                #define SHAPE_H
                #define SQUARE(n) ((n) * (n))
                int area(int side);
                #endif
            """,
            "shape.c": """
                #include "shape.h"
                static int clamp(int n) { return n; }
                int area(int side) { return SQUARE(clamp(side)); }
            """,
            "app.c": """
                #include "shape.h"
                static int clamp(int n) { return n < 0 ? 0 : n; }
                int main(void) { return area(clamp(2)); }
            """,
        }
    )
    assert ask.sites("callers", "shape.c:2") == ["shape.c:3"]
    assert ask.sites("callers", "app.c:2") == ["app.c:3"]
    assert ask.sites("callers", "shape.c:3") == ["app.c:3"]
    assert ask.sites("callers", "shape.h:4") == ["app.c:3"]
    assert ask.sites("references", "SQUARE") == ["shape.c:3"]
    area = ask.answer("definitions", "area")
    assert area["total"] == 1
    assert [place["path"] for place in area["results"][0]["places"]] == ["shape.h"]


def test_go_calls_go_to_the_package_imported_and_the_type_declared(written, ask) -> None:
    written(
        {
            "go.mod": "module example.org/farm\n\ngo 1.22\n",
            "barn/barn.go": """
                package barn

                type Cow struct{}

                func (c *Cow) Milk(litres int) int { return litres }

                func Weigh(n int) int { return n }
            """,
            "main.go": """
                package main

                import (
                \t"fmt"
                \tb "example.org/farm/barn"
                )

                type Stall struct{ cow *b.Cow }

                func (s *Stall) Milk(n int) int { return s.cow.Milk(n) }

                func main() {
                \tcow := &b.Cow{}
                \tfmt.Println(cow.Milk(b.Weigh(2)))
                }
            """,
        }
    )
    assert ask.sites("callers", "barn/barn.go:7") == ["main.go:14"]
    assert ask.sites("callers", "Cow.Milk") == ["main.go:10", "main.go:14"]
    assert ask.sites("callers", "Stall.Milk") == []


def test_a_java_field_is_of_its_declared_type(written, ask) -> None:
    written(
        {
            "src/main/java/post/Stamp.java": """
                package post;

                public class Stamp {
                  private String face;

                  public void setFace(String face) {
                    this.face = face;
                  }
                }
            """,
            "src/main/java/post/Album.java": """
                package post;

                public class Album {
                  private Stamp first = new Stamp();

                  public void wipe() {
                    first.setFace("");
                  }

                  public void setFace(String face) {
                    first.setFace(face);
                  }
                }
            """,
        }
    )
    album = "src/main/java/post/Album.java"
    assert ask.sites("callers", "Stamp.setFace") == [f"{album}:11", f"{album}:7"]
    assert ask.names("callers", "Stamp.setFace") == ["setFace", "wipe"]
    assert ask.sites("callers", "Album.setFace") == []


def test_a_function_in_a_wrapper_is_a_symbol_and_a_callback_is_none(written, ask) -> None:
    written(
        {
            "panel.jsx": """
                import React from 'react';

                function width() { return 3; }

                const Panel = React.forwardRef((props, ref) => {
                  return <Cell span={width()} ref={ref} />;
                });

                const Cell = ({ span }) => <i>{span}</i>;

                [4, 5].forEach(n => width(n));
            """
        }
    )
    names = ask.names("outline", "panel.jsx")
    assert {"width", "Panel", "Cell"} <= set(names)
    assert "n" not in names
    assert "panel.jsx:6" in ask.sites("callers", "width")
    assert "Panel" in ask.names("callers", "width")
    assert "panel.jsx:6" in ask.sites("references", "Cell")


def test_calls_in_rust_macro_arguments_are_calls(written, ask) -> None:
    written(
        {
            "src/lib.rs": """
                pub fn height() -> u8 { 7 }

                #[test]
                fn measures() {
                    assert!(height() > 6, "too low: {}", height());
                }

                pub fn nobody() -> u8 { 0 }
            """
        }
    )
    assert set(ask.sites("callers", "height")) == {"src/lib.rs:5"}
    assert ask.names("callers", "height") == ["measures"]
    unused = ask.names("unused")
    assert "nobody" in unused
    assert not {"height", "measures"} & set(unused)


def test_a_rust_path_goes_to_the_type_that_it_names(written, ask) -> None:
    written(
        {
            "src/left.rs": """
                pub struct Left;
                impl Left {
                    pub fn make() -> u8 { 1 }
                    pub fn zip(&self) -> u8 { 1 }
                }
            """,
            "src/right.rs": """
                pub struct Right;
                impl Right {
                    pub fn open() -> Right { Right }
                    pub fn make() -> u8 { 2 }
                    pub fn zip(&self) -> u8 { 2 }
                }
            """,
            "src/lib.rs": """
                mod left;
                mod right;
                use right::Right;

                pub fn one() -> u8 { Right::make() }

                pub fn two() -> u8 {
                    let right = Right::open();
                    right.zip()
                }

                pub fn three(rows: Vec<u8>) -> usize {
                    rows.iter().zip(rows.iter()).count()
                }
            """,
        }
    )
    assert ask.sites("callers", "Right.make") == ["src/lib.rs:5"]
    assert ask.sites("callers", "Left::make") == []
    assert ask.sites("callers", "Right.zip") == ["src/lib.rs:9"]


def test_typescript_names_are_followed_through_barrels(written, ask) -> None:
    written(
        {
            "src/shapes/box.ts": """
                export function volume(w: number, h: number) { return w * h; }
                export default function stack(boxes: number[]) { return boxes.reduce(volume, 1); }
            """,
            "src/shapes/index.ts": """
                export * from './box';
                export { default as pile } from './box';
            """,
            "src/use.ts": """
                import { volume as size, pile } from './shapes';
                import * as box from './shapes/box';
                import stackUp from './shapes/box';

                export function first() { return size(1, 2); }
                export const second = () => box.volume(1, 2);
                export const third = () => pile([1]);
                export const fourth = () => stackUp([2]);
            """,
        }
    )
    assert ask.sites("callers", "src/shapes/box.ts:1") == ["src/use.ts:5", "src/use.ts:6"]
    assert ask.names("callers", "volume") == ["first", "second"]
    assert ask.sites("callers", "src/shapes/box.ts:2") == ["src/use.ts:7", "src/use.ts:8"]
    assert ask.names("callers", "stack") == ["fourth", "third"]


def test_the_same_bytes_in_two_languages_are_two_slices(written, ask) -> None:
    same = "function twin() { return 1; }\n"
    written({"one.js": same, "two.ts": same})
    answer = ask.answer("definitions", "twin")
    assert [(r["path"], r["language"]) for r in answer["results"]] == [
        ("one.js", "javascript"),
        ("two.ts", "typescript"),
    ]
    assert ask.answer("outline", "two.ts")["results"][0]["language"] == "typescript"
