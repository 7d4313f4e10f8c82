"""Metadata filters; those read from the query itself are in `automatic`."""

from ragspine_tui.retrieval.filtering.metadata_filter import FilterCondition, MetadataFilter, make_filter

__all__ = ["FilterCondition", "MetadataFilter", "make_filter"]
