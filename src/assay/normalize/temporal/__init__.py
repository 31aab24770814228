"""Times said in words, relative to a reference: "next Tuesday at 3", "the last week of October"."""
