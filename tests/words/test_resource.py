"""Media by reference and by value: base64 is checked, never decoded to be encoded; `Resource.of` tells what it is given."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from pathlib import Path
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given, strategies as st

from chatadt.resource import MAGIC, Resource, check_base64, sniff

# Base64.


@given(st.binary())
def test_bytes_survive(content: bytes) -> None:
    assert Resource.Binary(content).bytes == content
    assert Resource.Binary(content) == Resource.Binary(b64encode(content).decode())


@given(st.binary())
def test_base64_text_is_kept_as_the_same_object(content: bytes) -> None:
    text = b64encode(content).decode()
    assert Resource.Binary(text).content is text
    assert check_base64(text) is text


@pytest.mark.parametrize("text", ["QR==", "QUJ=", "/+=="])
def test_base64_whose_last_bits_say_nothing_is_kept_as_it_came(text: str) -> None:
    assert Resource.Binary(text).content == text


@given(st.binary(min_size=1), st.data())
def test_base64_with_a_character_removed_is_refused(content: bytes, data: st.DataObject) -> None:
    text = b64encode(content).decode()
    at = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(ValueError, match="base64 comes in groups of 4 characters"):
        Resource.Binary(text[:at] + text[at + 1 :])


@given(st.binary(min_size=1), st.sampled_from("-_ \n\t%.:!é\u2028\x00\ud800"), st.data())
def test_base64_with_a_foreign_character_is_refused_at_its_place(content: bytes, foreign: str, data: st.DataObject) -> None:
    text = b64encode(content).decode()
    at = data.draw(st.integers(0, len(text.rstrip("=")) - 1))
    with pytest.raises(ValueError, match=f"got .* at character {at}$"):
        Resource.Binary(text[:at] + foreign + text[at + 1 :])


@given(st.binary(min_size=3))
def test_padding_stands_at_the_end_only(content: bytes) -> None:
    text = b64encode(content).decode().rstrip("=")
    with pytest.raises(ValueError, match="base64"):
        Resource.Binary("=" + text[1:] + "=" * (-len(text) % 4))


@given(st.integers(3, 12))
def test_more_padding_than_two_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="base64"):
        Resource.Binary("QUJD" + "=" * count)


def test_the_url_alphabet_is_refused() -> None:
    text = urlsafe_b64encode(b"\xfb\xff\xfe").decode()
    assert {"-", "_"} & set(text)
    with pytest.raises(ValueError, match="letters, digits"):
        Resource.Binary(text)


def test_nothing_is_a_medium_too() -> None:
    assert Resource.Binary("") == Resource.Binary(b"")
    assert Resource.Binary("").bytes == b""


# What `of` is given.


@pytest.mark.parametrize(("at", "magic", "kind"), MAGIC)
def test_the_media_type_of_bytes_is_sniffed_from_their_magic_number(at: int, magic: bytes, kind: str) -> None:
    content = b"\0" * at + magic + b"\0\0\0\0"
    assert Resource.of(content) == Resource.Binary(content, kind)
    assert sniff(content[: at + len(magic)]) == kind
    assert sniff(content[: at + len(magic) - 1]) != kind


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", "audio/wav"),
        (b"FORM\x00\x00\x00\x24AIFFCOMM", "audio/aiff"),
        (b"\x00\x00\x00\x18ftypmp42\x00\x00", "video/mp4"),
        (b"\x00\x00\x00\x14ftypqt  ", "video/quicktime"),
        (b"\x00\x00\x00\x18ftypheic", "image/heic"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (b"GIF89a\x01\x00\x01\x00", "image/gif"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81", "video/webm"),
        (b"", None),
        (b"hello", None),
        (b"{}", None),
        (b"\x89PN", None),
    ],
)
def test_the_first_bytes_of_real_files_show_their_type(content: bytes, kind: str | None) -> None:
    assert Resource.of(content) == Resource.Binary(content, kind)


def test_a_media_type_that_is_given_wins() -> None:
    assert Resource.of(b"%PDF-", "text/plain") == Resource.Binary(b"%PDF-", "text/plain")
    assert Resource.of("data:image/png;base64,QUJD", "image/gif") == Resource.Binary("QUJD", "image/gif")
    assert Resource.of("https://example.org", "image/gif") == Resource.Ref("https://example.org", "image/gif")


@pytest.mark.parametrize(
    ("url", "content", "kind"),
    [
        ("data:image/png;base64,QUJD", b"ABC", "image/png"),
        ("DATA:image/png;base64,QUJD", b"ABC", "image/png"),
        ("data:text/plain;charset=utf-8;base64,QUJD", b"ABC", "text/plain;charset=utf-8"),
        ("data:;base64,QUJD", b"ABC", None),
        ("data:image/png;base64,", b"", "image/png"),
        ("data:,", b"", None),
        ("data:,hello%2C%20world", b"hello, world", None),
        ("data:text/plain,a,b", b"a,b", "text/plain"),
        ("data:text/plain;charset=utf-8,caf%C3%A9", "café".encode(), "text/plain;charset=utf-8"),
        ("data:text/plain,café", "café".encode(), "text/plain"),
        ("data:text/html,%3Ch1%3Ehi", b"<h1>hi", "text/html"),
        ("data:text/plain,100%", b"100%", "text/plain"),
    ],
)
def test_a_data_url_is_a_medium_by_value(url: str, content: bytes, kind: str | None) -> None:
    assert Resource.of(url) == Resource.Binary(content, kind)


@given(st.binary())
def test_a_data_url_gives_back_the_bytes_it_was_made_of(content: bytes) -> None:
    assert Resource.of(f"data:a/b,{quote_from_bytes(content)}") == Resource.Binary(content, "a/b")
    assert Resource.of(f"data:a/b;base64,{b64encode(content).decode()}") == Resource.Binary(content, "a/b")


@pytest.mark.parametrize(
    ("url", "content"),
    [
        ("data:image/png;BASE64,QUJD", b"ABC"),
        ("data:image/png;base64,QUI%3D", b"AB"),
        ("data:image/png;base64,%2B/%2B/", b"\xfb\xff\xbf"),
    ],
)
def test_a_data_url_in_a_rarer_spelling_is_a_medium_by_value(url: str, content: bytes) -> None:
    assert Resource.of(url) == Resource.Binary(content, "image/png")


@pytest.mark.parametrize("url", ["data:image/png;base64,QUJ", "data:image/png;base64,QU-_", "data:image/png;base64, QUJD"])
def test_a_data_url_with_broken_base64_is_a_value_error(url: str) -> None:
    with pytest.raises(ValueError, match="base64"):
        Resource.of(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/cat.png",
        "https://example.org/cat.png?a=b,c;base64,QUJD",
        "HTTPS://EXAMPLE.ORG",
        "gs://bucket/cat.png",
        "s3://bucket/cat.png",
        "urn:chatadt:openai:file:file-1",
        "https://example.org/caf\u00e9",
    ],
)
def test_a_url_is_a_reference_as_it_came(url: str) -> None:
    assert Resource.of(url) == Resource.Ref(url)


@pytest.mark.parametrize(
    "text", ["", " ", "cat.png", "/home/ann/cat.png", "./cat.png", "hello world", ":", "://", "QUJD", "//example.org/cat.png"]
)
def test_a_string_that_is_no_url_is_a_value_error_that_names_the_way_out(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a URL .*: for a file give a pathlib\.Path"):
        Resource.of(text)


@pytest.mark.parametrize("text", ["C:\\cat.png", "note: buy milk", "http:", "https:   ", "\u00e9:x"])
def test_a_string_that_looks_like_a_url_and_is_none_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="expected a URL"):
        Resource.of(text)


@pytest.mark.parametrize("source", [None, 5, bytearray(b"a"), memoryview(b"a"), ["a"], object()])
def test_anything_else_is_a_type_error(source: object) -> None:
    with pytest.raises(TypeError, match=r"a resource is made of bytes, a URL or a pathlib\.Path"):
        Resource.of(source)  # type: ignore[arg-type]


# Files, whose bytes come through a door.


def test_a_path_is_read_through_the_door_that_is_given() -> None:
    asked: list[Path] = []

    def read(path: Path) -> bytes:
        asked.append(path)
        return b"%PDF-1.7"

    assert Resource.of(Path("no such folder") / "paper.pdf", read=read) == Resource.Binary(b"%PDF-1.7", "application/pdf")
    assert asked == [Path("no such folder") / "paper.pdf"]


def test_a_path_is_read_from_the_disk_unless_a_door_is_given(tmp_path: Path) -> None:
    path = tmp_path / "cat.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert Resource.of(path) == Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/png")
    assert Resource.of(path, "image/apng") == Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/apng")


def test_a_file_that_is_not_there_is_the_callers_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Resource.of(tmp_path / "cat.png")


def test_nothing_is_read_for_bytes_and_urls() -> None:
    def read(path: Path) -> bytes:
        raise AssertionError(path)

    assert Resource.of(b"a", read=read) == Resource.Binary(b"a")
    assert Resource.of("urn:a", read=read) == Resource.Ref("urn:a")
