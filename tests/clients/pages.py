"""Checks pages in a real browser: axe finds nothing, nothing scrolls sideways, and the keyboard reaches what opens.

    target/venv-clients/bin/python tests/clients/pages.py FOLDER [--shots FOLDER]

Each page of the folder is loaded at 400 and 1,400 pixels, in light and in dark. Exit code 3 says that there is no Chromium.
"""

import argparse
import importlib.util
import shutil
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

WIDTHS = [400, 1400]
MODES = ["light", "dark"]
NO_BROWSER = 3

AXE = Path(importlib.util.find_spec("axe_playwright_python").origin).with_name("axe.min.js")

# axe measures contrast of what is shown, so all that is folded opens first.
OPEN = "document.querySelectorAll('details').forEach(details => { details.open = true; });"
CHECK = "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, error => done({error: String(error)}));"


def browser():
    """A Chromium without a window; None where Debian's packages for it are not installed."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(driver))


def problems(chromium, page, width, mode):
    """What is wrong with a page, a line each."""
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": mode}]})
    # The page's own policy forbids scripts; it is set aside for axe.
    chromium.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    chromium.get(page.as_uri())
    found = keyboard(chromium)
    chromium.execute_script(OPEN)
    room, needed = chromium.execute_script("return [window.innerWidth, document.scrollingElement.scrollWidth];")
    if needed > room:
        found.append(f"it scrolls sideways: {needed} of {room} pixels")
    chromium.execute_script(AXE.read_text())
    result = chromium.execute_async_script(CHECK)
    found.extend(f"axe: {result['error']}" for _ in [0] if result.get("error"))
    for violation in result.get("violations", []):
        nodes = violation["nodes"]
        found.append(f"axe: {violation['id']} ({violation['impact']}), {len(nodes)} times, such as {nodes[0]['html'][:160]}")
    return found


def keyboard(chromium):
    """The first stop of the tabulator leads past the head, and each thing that opens is a stop."""
    body = chromium.switch_to.active_element
    body.send_keys(Keys.TAB)
    first = chromium.switch_to.active_element
    found = [] if "skip" in (first.get_attribute("class") or "") else ["the first stop is no link past the head"]
    unreached = chromium.execute_script(
        "return [...document.querySelectorAll('summary, a[href]')].filter(one => one.tabIndex < 0).length;")
    return found + [f"{unreached} things are no stops of the keyboard"] * bool(unreached)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--shots", type=Path, help="writes a picture of each page into this folder")
    given = arguments.parse_args()
    chromium = browser()
    if chromium is None:
        print("no Chromium: install Debian's packages chromium and chromium-driver")
        return NO_BROWSER
    pages, wrong = sorted(given.folder.resolve().glob("*.html")), []
    with chromium:
        for page in pages:
            for width in WIDTHS:
                for mode in MODES:
                    wrong.extend(f"{page.name}, {width} px, {mode}: {one}" for one in problems(chromium, page, width, mode))
                    if given.shots:
                        given.shots.mkdir(parents=True, exist_ok=True)
                        chromium.save_screenshot(str(given.shots / f"{page.stem}-{width}-{mode}.png"))
    print("\n".join(wrong))
    print(f"{len(pages)} pages in {len(WIDTHS) * len(MODES)} forms, {len(wrong)} problems")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
