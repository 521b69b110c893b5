"""What a browser calls itself, in two words of ours: nothing of its own is kept or shown."""

from __future__ import annotations

SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
BROWSERS = {"Firefox": "Firefox", "FxiOS": "Firefox", "Edg": "Edge", "CriOS": "Chrome"} | {
    "SamsungBrowser": "Samsung",
    "Chrome": "Chrome",
    "Safari": "Safari",
}


def agent_in_words(agent: str) -> str:
    """Return browser and system, as `Safari, iPhone`."""
    system = next((each for each in SYSTEMS if each in agent), "")
    browser = next((shown for name, shown in BROWSERS.items() if name in agent), "a browser")
    return f"{browser}, {system}" if system else browser
