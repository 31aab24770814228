"""What the glossary that ships with Assay is made of; `python -m glossary.build` makes it."""
