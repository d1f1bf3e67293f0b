"""The selector and the classifier in scikit-learn's company."""

from __future__ import annotations

import numpy as np
import pytest

from genetics import people
from tesuji.genetics import GenotypeClassifier, PanelSelector


@pytest.fixture(scope="module")
def table():
    genotypes, labels = people.make(40, (40, 35, 30), seed=6)
    y = np.array(labels.groups)[labels.of_sample]
    return genotypes.copies().T.astype(float), y


def test_the_classifier_learns_and_says_how_sure_it_is(table):
    x, y = table
    found = GenotypeClassifier().fit(x[::2], y[::2])
    shares = found.predict_proba(x[1::2])
    assert shares.sum(axis=1) == pytest.approx(1)
    assert (found.classes_[shares.argmax(axis=1)] == found.predict(x[1::2])).mean() > 0.99
    assert found.score(x[1::2], y[1::2]) > 0.8
    with pytest.raises(ValueError, match="learned 40"):
        found.predict(x[:, :5])
    with pytest.raises(ValueError, match="fit first"):
        GenotypeClassifier().predict(x)


def test_the_selector_chooses_columns(table):
    x, y = table
    selector = PanelSelector(size=5, algorithm="forward", seconds=None).fit(x, y)
    assert selector.transform(x).shape == (len(x), 5)
    assert selector.get_support().sum() == 5
    assert selector.get_feature_names_out().tolist() == [f"x{i}" for i in selector.panel_]
    assert (selector.transform(x) == x[:, selector.get_support(indices=True)])[
        ~np.isnan(x[:, list(selector.panel_)])
    ].all()
    with pytest.raises(ValueError, match="no parameter 'sizes'"):
        selector.set_params(sizes=3)


def test_in_a_pipeline_and_with_model_selection(table):
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline

    x, y = table
    pipeline = make_pipeline(PanelSelector(size=4, algorithm="forward", seconds=None), GenotypeClassifier())
    assert cross_val_score(pipeline, x, y, cv=3).mean() > 0.6
    search = GridSearchCV(pipeline, {"panelselector__size": [1, 6]}, cv=3).fit(x, y)
    assert search.best_params_["panelselector__size"] == 6
    assert clone(GenotypeClassifier(pseudocount=2.0)).pseudocount == 2.0
    assert search.predict_proba(x).shape == (len(x), 3)
